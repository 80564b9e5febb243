import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { OverviewPage } from '#console/overview/overview-page.tsx'
import { renderHtml } from '#console/render.ts'
import { toVisibleStatus } from '#domain/lead/lead-status.ts'
import { maskName } from '#domain/lead/mask-lead.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { median, parseTimeZone } from '#server/leads/lead-counts.ts'
import { toLeadSummary } from '#server/leads/read-leads.ts'
import { authorize } from '#server/operators/authorize.ts'
import { explainNotStored } from '#server/platform/faults/sanitize-error.ts'
import type { ConsoleEnv, ConsoleServices } from './console-env.ts'
import { makeOverviewCountsCache, readFailureStreak } from './read-overview.ts'

const latestShown = 8

export function overviewRoutes({ store, shellOf, checkStore, siteOrigin, clock }: ConsoleServices) {
  const { archive, breaker: breakerStore, rollups } = store.forConsole
  const readCounts = makeOverviewCountsCache(store.forConsole, clock)
  return new Hono<ConsoleEnv>().get('/', async (c) => {
    const actor = c.get('actor')
    const now = clock()
    authorize(actor, 'see the overview', now)
    const zone = parseTimeZone(getCookie(c, 'console-zone'))
    const [counts, breaker, notStored, failing, latest] = await Promise.all([
      readCounts(zone ?? 'UTC'),
      breakerStore.read(),
      checkStore().then(() => undefined, explainNotStored),
      readFailureStreak(rollups),
      archive.page({ now, take: latestShown }),
    ])
    const { answers, figures } = counts
    const { byStatus, unreadable, leads } = counts.stats
    const { first, firstDue, inDoubt, affiliates } = figures
    const [today, ...before] = figures.days
    // Days before the first stored lead are left out of the comparison.
    const compared = before.filter(
      ({ spans }) => first.lead !== undefined && spans.whole.until > first.lead,
    )
    const mayReveal = isAllowed(actor.role, 'reveal a lead')
    return c.html(
      renderHtml(
        <OverviewPage
          shell={shellOf(c)}
          site={siteOrigin}
          now={now}
          leads={leads}
          data={{
            breaker,
            notStored,
            failing: byStatus.pending + byStatus.leased > 0 ? failing : undefined,
            dueSince: firstDue,
            pending: byStatus.pending,
            inDoubt,
            unreadable,
            dead: { count: byStatus.dead, since: first.dead },
            quarantined: { count: byStatus.quarantined, since: first.quarantined },
            answers,
            received: today?.soFar ?? 0,
            least:
              compared.length < 7 ? undefined : Math.min(...compared.map(({ soFar }) => soFar)),
          }}
          today={
            today && {
              zone,
              day: today,
              byStatus: mayReveal ? figures.byStatus : { ...figures.byStatus, duplicate: 0 },
              before: compared,
              usual: median(compared.map(({ soFar }) => soFar)),
            }
          }
          affiliates={affiliates.map((one) => ({
            ...one,
            affiliate: escapeInvisible(one.affiliate),
          }))}
          latest={latest
            .map(toLeadSummary)
            .map(({ name, programName, email: _email, ...lead }) => ({
              ...lead,
              program: programName,
              status: toVisibleStatus(lead.status, mayReveal),
              initials: escapeInvisible(maskName(name)),
            }))}
        />,
      ),
    )
  })
}
