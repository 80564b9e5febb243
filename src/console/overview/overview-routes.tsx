import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import type { ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { describeAffiliateId, hasAffiliateId } from '#domain/affiliate/affiliate.ts'
import { toVisibleStatus } from '#domain/lead/lead-status.ts'
import { maskName } from '#domain/lead/mask-lead.ts'
import {
  type FlashMessage,
  makeNoteMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { type AlertResult, noAlertWebhook } from '#server/alerts/send-alert.ts'
import { namePauser } from '#server/delivery/pause-deliveries.ts'
import { parseTimeZone } from '#server/leads/overview-counts.ts'
import { toLeadSummary } from '#server/leads/read-leads.ts'
import { authorize } from '#server/operators/authorize.ts'
import { OverviewPage } from './overview-page.tsx'

const maxLatestLeads = 8

export function overviewRoutes(services: ConsoleServices) {
  const { store, affiliates, readOverview, disclosureCovers } = services
  const { siteOrigin, clock, flash, testAlerts } = services
  const pages = new Hono<ConsoleEnv>().post('/alerts/test', async (c) => {
    const result = await testAlerts(c.get('actor'))
    return flash.redirect(c, '/', describeAlertTest(result))
  })
  return pages.get('/', async (c) => {
    const actor = c.get('actor')
    const now = clock()
    authorize(actor, 'see the overview', now)
    const zone = parseTimeZone(getCookie(c, 'console-zone'))
    const [overview, latest, partners] = await Promise.all([
      readOverview(zone ?? 'UTC'),
      store.forConsole.leadReader.page({ now, take: maxLatestLeads }),
      affiliates.list(actor),
    ])
    const breaker = await namePauser(store.audit, actor, overview.data.breaker)
    const partnerOf = (affid: string) => partners.find((one) => hasAffiliateId(one, affid))?.name
    const mayReveal = isAllowed(actor.role, 'reveal a lead')
    return c.render(
      <OverviewPage
        site={siteOrigin}
        now={now}
        zone={zone}
        disclosureCovers={disclosureCovers()}
        overview={{ ...overview, data: { ...overview.data, breaker } }}
        labelOf={(affid) => describeAffiliateId(affid, partnerOf(affid))}
        latest={latest.map(toLeadSummary).map(({ name, ...lead }) => ({
          ...lead,
          status: toVisibleStatus(lead.status, mayReveal),
          initials: maskName(name),
        }))}
      />,
    )
  })
}

function describeAlertTest(result: AlertResult | undefined): FlashMessage {
  if (result === undefined) return makeNoteMessage('No test was sent', noAlertWebhook)
  const text = `Answer: ${result.answer}.`
  return result.isAccepted
    ? makeSuccessMessage('The chat accepted the test alert', text)
    : makeProblemMessage('The chat did not accept the test alert', text)
}
