import { Hono } from 'hono'
import type { ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { findFilterProblem, parsePageFilter } from '#console/leads/read-filter.ts'
import { describeFaults, rangeParsers, readRange } from '#console/ranges/read-range.ts'
import { emptyFilter } from '#domain/lead/lead-filter.ts'
import {
  type FlashMessage,
  makeNoteMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { type AlertResult, noAlertWebhook } from '#server/alerts/send-alert.ts'
import { namePauser } from '#server/delivery/pause-deliveries.ts'
import { listLeads } from '#server/leads/list-leads.ts'
import { readComparedFigures } from '#server/measuring/read-figures.ts'
import { readTrend } from '#server/measuring/read-trend.ts'
import { authorize } from '#server/operators/authorize.ts'
import { makeKeyedTimedCache, makeProportionalLifetime } from '#server/platform/timed-cache.ts'
import { OverviewPage } from './overview-page.tsx'

const maxLatestLeads = 8

const figuresCacheFactor = 20
const maxCachedRanges = 20

export function overviewRoutes(services: ConsoleServices) {
  const { store, readOverview, disclosureCovers } = services
  const { siteOrigin, clock, flash, testAlerts } = services
  const figuresOf = makeKeyedTimedCache(
    (query) => {
      const url = parsePageFilter(rangeParsers, Object.fromEntries(new URLSearchParams(query)))
      const periods = readRange(url, clock(), store.zone)
      const { funnel } = store.forConsole
      return Promise.all([
        readComparedFigures(funnel, periods, {}),
        readTrend(funnel, { ...periods, unit: url.values.unit, zone: store.zone, filter: {} }),
      ])
    },
    makeProportionalLifetime(figuresCacheFactor),
    maxCachedRanges,
  )
  const pages = new Hono<ConsoleEnv>().post('/alerts/test', async (c) => {
    const result = await testAlerts(c.get('actor'))
    return flash.redirect(c, '/', describeAlertTest(result))
  })
  return pages.get('/', async (c) => {
    const actor = c.get('actor')
    const now = clock()
    authorize(actor, 'see the overview', now)
    const url = parsePageFilter(rangeParsers, c.req.query())
    const periods = readRange(url, now, store.zone)
    const [overview, [figures, trend], { leads: latest }] = await Promise.all([
      readOverview(),
      figuresOf(url.query),
      listLeads(store.forConsole, actor, { filter: emptyFilter, take: maxLatestLeads }, now),
    ])
    const breaker = await namePauser(store.audit, actor, overview.data.breaker)
    const problem = findFilterProblem({}, url.unknownName) ?? describeFaults(url.faults)
    const page = (
      <OverviewPage
        site={siteOrigin}
        now={now}
        range={{ ...periods, path: '/', given: url.given, faults: url.faults }}
        figures={figures}
        trend={trend}
        disclosureCovers={disclosureCovers()}
        overview={{ ...overview, data: { ...overview.data, breaker } }}
        latest={latest}
      />
    )
    return c.render(page, problem, problem && 400)
  })
}

function describeAlertTest(result: AlertResult | undefined): FlashMessage {
  if (result === undefined) return makeNoteMessage('No test was sent', noAlertWebhook)
  const text = `Answer: ${result.answer}.`
  return result.isAccepted
    ? makeSuccessMessage('The chat accepted the test alert', text)
    : makeProblemMessage('The chat did not accept the test alert', text)
}
