import { setTimeout } from 'node:timers/promises'
import { test } from 'vitest'
import type { StoreSettings } from '#server/store/open-store.ts'
import { until } from '#tests/patience/until.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { accountFor, drained, waiting } from './account.ts'
import { startDistributor, takes } from './distributor.ts'
import { times } from './extent.ts'
import { figure } from './figure.ts'
import { seed, seededRandom } from './seeded-random.ts'
import { setUps, startSetUp } from './set-ups.ts'
import { startVisitors } from './visitors.ts'

const stops = times({ modest: 1, full: 50 })
/** A process gives itself 9.5 s to stop. Only runs without other tests check this. */
const mostMs = times({ modest: Infinity, full: 10_000 })

/** The number of simultaneous deliveries of each worker. */
const deliveriesAtOnce = 8

/** Counts deliveries that another process could not claim now. */
async function heldBack(settings: StoreSettings): Promise<number> {
  const [row] = await askStore(
    settings,
    `select count(*) as n from deliveries
    where settled_at is null and (lease is not null or next_at > ${Date.now()})`,
  )
  return Number(row?.n)
}

test.concurrent.for(setUps)('SIGTERM under load: $name', async (setUp, context) => {
  const { expect, onTestFinished } = context
  // So slow that deliveries are always running and others soon wait.
  const distributor = await startDistributor(async (request, response) => {
    await setTimeout(500)
    takes(request, response)
  })
  onTestFinished(distributor.stop)
  const env = { DELIVERY_LEASE: '1h' }
  const { settings, processes, site } = await startSetUp(setUp, distributor, context, env)
  const random = seededRandom(`stop ${setUp.name}`)
  const visitors = startVisitors({ atOnce: 8, site })
  let slowestMs = 0
  let waited = 0
  for (let stopped = 0; stopped < stops; stopped++) {
    await Promise.all(processes.map(({ serving }) => serving()))
    await setTimeout(random(200, 800))
    const underWay = deliveriesAtOnce * setUp.roles.filter((role) => role !== 'web').length
    await until(async () => (await waiting(settings)) > underWay)
    const since = performance.now()
    const codes = await Promise.all(processes.map(({ end }) => end('SIGTERM')))
    slowestMs = Math.max(slowestMs, performance.now() - since)
    expect(codes).toEqual(codes.map(() => 0))
    expect(await heldBack(settings)).toBe(0)
    waited += await waiting(settings)
    await Promise.all(processes.map(({ start }) => start()))
  }
  distributor.behave(takes)
  await visitors.leave()
  await drained(settings, 600_000)
  const account = await accountFor(visitors, distributor, settings)
  figure(`SIGTERM under load, ${setUp.name}`, {
    stops,
    ...account,
    claimableAtOnce: waited,
    slowestMs: Math.round(slowestMs),
    seed,
  })
  expect(waited).toBeGreaterThan(0)
  expect(slowestMs).toBeLessThan(mostMs)
  expect(account.duplicatesSent).toBe(0)
})
