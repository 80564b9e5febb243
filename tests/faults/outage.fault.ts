import { test } from 'vitest'
import type { StoreSettings } from '#server/store/open-store.ts'
import { until } from '#tests/patience/until.ts'
import { freePort } from '#tests/product/free-port.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { accountFor, drained } from './account.ts'
import { startDistributor, takes } from './distributor.ts'
import { times } from './extent.ts'
import { figure } from './figure.ts'
import { setUps, startLeftAlone } from './set-ups.ts'
import { startVisitors } from './visitors.ts'

const leads = times({ modest: 200, full: 10_000 })

/** The number of failures in a row that trip the breaker, plus the deliveries that a process has running by then. */
const beforeTheBreaker = 10 + 8
/** Probes are sent after 1, 3, 7, 12, 17 … s: never more than this number. */
const mostProbes = (seconds: number): number => 3 + seconds / 4

/** A process delivers at most this many leads before an older one. */
const mostOutOfOrder = 100

/** Probes are taken from both ends and the middle of the waiting leads; the first answered probe ends the outage. */
const mostProbesAhead = 4

test.concurrent.for(setUps)(
  'no lead is lost while the distributor is unavailable: $name',
  async (setUp, context) => {
    const { expect, onTestFinished } = context
    const port = await freePort()
    const { settings, site } = await startLeftAlone(
      setUp,
      { url: `http://127.0.0.1:${port}/incoming/leads` },
      context,
      // With an operator's retry schedule, a backlog that waited for it would take hours.
      { DELIVERY_RETRY_SCHEDULE: '5s,30s,5m,30m,2h,5h,10h,10h' },
    )
    const visitors = startVisitors({ atOnce: 32, enquiries: leads, site })
    await visitors.gone
    // At first nothing listens at the distributor's address; then a failing distributor counts the calls.
    await until(async () => (await probes(settings)) >= 3)
    const distributor = await startDistributor((_, response) => response.writeHead(503).end(), {
      port,
    })
    onTestFinished(distributor.stop)
    await until(() => distributor.received.length >= 1)
    const calls = await attempts(settings)
    const lasted = (Date.now() - (await outageBegan(settings))) / 1000

    const sentBefore = distributor.received.length
    const since = performance.now()
    distributor.behave(takes)
    await drained(settings)
    const drainedMs = performance.now() - since
    const account = await accountFor(visitors, distributor, settings)
    const ahead = placesAhead(distributor.received.slice(sentBefore))
    const probesAhead = ahead.filter((places) => places >= mostOutOfOrder).length
    figure(`Outage, ${setUp.name}`, {
      ...account,
      lastedSeconds: Math.round(lasted),
      callsMeanwhile: calls,
      drainedMs: Math.round(drainedMs),
      furthestOutOfOrder: Math.max(...ahead.filter((places) => places < mostOutOfOrder)),
      probesAhead,
    })
    expect(account.acknowledged).toBe(leads)
    const workers = setUp.roles.filter((role) => role !== 'web').length
    expect(calls).toBeLessThanOrEqual(workers * beforeTheBreaker + mostProbes(lasted))
    expect(probesAhead).toBeLessThanOrEqual(mostProbesAhead)
  },
)

async function attempts(settings: StoreSettings): Promise<number> {
  const [row] = await askStore(settings, 'select count(*) as n from attempts')
  return Number(row?.n)
}

async function outageBegan(settings: StoreSettings): Promise<number> {
  const [row] = await askStore(settings, 'select min(started_at) as began from attempts')
  return Number(row?.began)
}

/** The number of probes. The first probe starts a second after the failures that tripped the breaker. */
async function probes(settings: StoreSettings): Promise<number> {
  const [row] = await askStore(
    settings,
    'select count(*) as n from attempts where started_at > (select min(started_at) + 900 from attempts)',
  )
  return Number(row?.n)
}

/** How many places too early each lead came, because ids are in the order of acceptance. */
function placesAhead(received: readonly string[]): number[] {
  const place = new Map(received.toSorted().map((id, index) => [id, index]))
  return received.map((id, index) => (place.get(id) ?? 0) - index)
}
