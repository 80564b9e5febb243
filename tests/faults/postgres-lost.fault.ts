import { setTimeout } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { until, untilPasses } from '#tests/patience/until.ts'
import { commit, startFaultyLine } from '#tests/postgres/faulty-line.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { startPostgres } from '#tests/postgres/start-postgres.ts'
import { accountFor, drained } from './account.ts'
import { startDistributor } from './distributor.ts'
import { isFull, loadRests, times } from './extent.ts'
import { figure } from './figure.ts'
import { shortLeases } from './product-env.ts'
import { seed, seededRandom } from './seeded-random.ts'
import { placeAt, saysReady, startLeftAlone, startSetUp } from './set-ups.ts'
import { startVisitors } from './visitors.ts'

/** How often a visitor repeats the enquiry: the database is unavailable for seconds. */
const patience = 2000
/**
 * Without this rest, visitors would send more in a full run than one worker delivers that loses its connection twice a
 * second.
 */
const rest = 20

test('the processes recover by themselves when PostgreSQL crashes and returns under load', async () => {
  const crashes = times({ modest: 2, full: 50 })
  const roles = isFull ? ['web', 'web', 'worker', 'worker'] : ['web', 'worker']
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const distributor = await startDistributor()
  onTestFinished(distributor.stop)
  const { settings, processes, site } = await startSetUp(
    { makePlace: placeAt(postgres.url), roles },
    distributor,
    { onTestFinished },
    shortLeases,
  )
  const first = await Promise.all(processes.map(({ serving }) => serving()))
  const random = seededRandom('crash of PostgreSQL')
  const visitors = startVisitors({ atOnce: 16, site, patience, rest: loadRests })
  for (let crashed = 0; crashed < crashes; crashed++) {
    await setTimeout(random(100, 800))
    await postgres.crash()
    await Promise.all(processes.map((process) => saysReady(process, 503)))
    // A process checks the store at most once a second, so its last good answer may still count.
    for (const { url } of first) await untilPasses(() => expectMetricsWithoutStore(url))
    const thanked = visitors.acknowledged.size
    const sent = distributor.received.length
    await postgres.restart()
    await Promise.all(processes.map((process) => saysReady(process, 200)))
    const goesOn = () => visitors.acknowledged.size > thanked && distributor.received.length > sent
    await until(goesOn)
  }
  await visitors.leave()
  await drained(settings)
  const account = await accountFor(visitors, distributor, settings)
  figure('PostgreSQL crashes under load', {
    crashes,
    ...account,
    turnedAway: visitors.turnedAway(),
    seed,
  })
  for (const { log } of first) expectToldOnce(log(), crashes)
  expect(first.map(({ process }) => process.exitCode ?? process.signalCode)).toEqual(
    first.map(() => null),
  )
})

test.for([
  { cut: 'web', whole: 'worker', at: ['insert into "leads"', commit] },
  { cut: 'worker', whole: 'web', at: [commit] },
])(
  'a $cut process recovers when its connection breaks during a commit',
  async ({ cut, whole, at }) => {
    const cuts = times({ modest: 4, full: 500 })
    const { url, drop } = await freshDatabase(inject('postgresUrl'))
    onTestFinished(drop)
    const proxy = await startFaultyLine(url)
    onTestFinished(proxy.close)
    const distributor = await startDistributor()
    onTestFinished(distributor.stop)
    // A worker whose connection was cut does not know which deliveries it has claimed.
    const leases = cut === 'worker' ? shortLeases : {}
    const behindProxy = await startSetUp(
      { makePlace: placeAt(proxy.url), roles: [cut] },
      distributor,
      { onTestFinished },
      leases,
    )
    const direct = await startLeftAlone(
      { makePlace: placeAt(url), roles: [whole] },
      distributor,
      { onTestFinished },
      leases,
    )
    const { settings } = direct
    const { site } = cut === 'web' ? behindProxy : direct
    await Promise.all(
      [...behindProxy.processes, ...direct.processes].map(({ serving }) => serving()),
    )
    const visitors = startVisitors({ atOnce: 8, site, patience, rest })
    for (let done = 0; done < cuts; done++) {
      await proxy.severAt(at, done % 2 === 0 ? 'before' : 'after')
      const thanked = visitors.acknowledged.size
      await until(() => visitors.acknowledged.size > thanked + 10)
    }
    await visitors.leave()
    await drained(settings)
    const account = await accountFor(visitors, distributor, settings)
    figure(`A ${cut} process cut off while it commits`, {
      cuts,
      ...account,
      turnedAway: visitors.turnedAway(),
    })
    if (cut === 'web') expect(account.duplicatesSent).toBe(0)
  },
)

/** While the database is unavailable, a process reports its own metrics and omits those of the store. */
async function expectMetricsWithoutStore(url: string): Promise<void> {
  const reply = await fetch(`${url}/metrics`)
  expect(reply.status).toBe(200)
  const metrics = await reply.text()
  expect(metrics).toContain('store_up 0\n')
  expect(metrics).toMatch(/^leads_accepted_total\{kind="new"\} \d+$/m)
  expect(metrics).not.toMatch(/^(leads|delivery_backlog|delivery_outage)(\{.*\})? /m)
}

/** Messages of the product's parts that notice an outage, each when the outage begins. */
const knownErrors = [
  /^background work failed; it is retried until it succeeds$/,
  /^the store cannot be used for deliveries: /,
  /^the store’s content cannot be read for \/metrics/,
  /^not ready: /,
  /^Visitors can't submit enquiries: /,
]

function expectToldOnce(log: string, crashes: number): void {
  // With other tests on two cores, a statement that times out soon afterwards may count as another outage.
  const outages = crashes * times({ modest: 2, full: 1 })
  const errors = log.split('\n').filter((line) => line.includes('"level":"error"'))
  const kinds = Map.groupBy(errors, (line) => JSON.parse(line).msg)
  for (const [words, lines] of kinds) expect(lines.length, words).toBeLessThanOrEqual(outages)
  expect(kinds.size).toBeGreaterThan(0)
  const unknown = [...kinds.keys()].filter((words) => !knownErrors.some((it) => it.test(words)))
  expect(unknown).toEqual([])
}
