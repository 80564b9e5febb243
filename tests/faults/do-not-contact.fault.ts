import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeDoNotContactActions } from '#server/delivery/manage-do-not-contact.ts'
import { openStore } from '#server/store/open-store.ts'
import { patience } from '#tests/patience/patience.ts'
import { until } from '#tests/patience/until.ts'
import { whileAsking } from '#tests/store/ask-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { postgresPlace } from '#tests/store/store-places.ts'
import { type Behaviour, startDistributor, takes } from './distributor.ts'
import { times } from './extent.ts'
import { figure } from './figure.ts'
import { seed, seededRandom } from './seeded-random.ts'
import { startSetUp } from './set-ups.ts'

const leads = times({ modest: 200, full: 2000 })
const listed = times({ modest: 50, full: 500 })
const kills = times({ modest: 2, full: 40 })
const stopsAtOnce = 5
const answerMs = 40

const actor = { kind: 'command line', user: 'ada' } as const

/** A slow distributor that loses one in thirty connections, so that leads are retried, and keeps each arrival's time. */
function slowDistributor(arrivals: Map<string, number>): Behaviour {
  let received = 0
  return async (request, response) => {
    const turn = ++received
    arrivals.set(String(request.headers['idempotency-key']), performance.now())
    await setTimeout(answerMs)
    if (turn % 30 === 0) request.socket.resetAndDestroy()
    else takes(request, response)
  }
}

test('with four workers and kill -9, no lead is sent after “Stop contact” has answered', async () => {
  const lastArrival = new Map<string, number>()
  const distributor = await startDistributor(slowDistributor(lastArrival))
  onTestFinished(distributor.stop)
  const roles = ['worker', 'worker', 'worker', 'worker']
  const { settings, processes } = await startSetUp(
    { makePlace: postgresPlace, roles },
    distributor,
    { onTestFinished },
    { DELIVERY_CONCURRENCY: '1', DELIVERY_TIMEOUT: '1s', DELIVERY_LEASE: '1500ms' },
  )
  const store = await openStore(settings)
  await store.migrate()
  onTestFinished(() => store.close())
  const arrivals = Array.from({ length: leads }, (_, index) =>
    exampleArrival({ receivedAt: Date.now(), phone: String(9_415_550_000 + index) }),
  )
  await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
  const list = makeDoNotContactActions({
    ...{ ...store.database, ...store.operators },
    ...{ audit: store.audit, clock: store.clock },
  })
  const random = seededRandom('do not contact')
  const people = arrivals
    .map(({ lead }) => ({ lead, order: random(0, 1) }))
    .toSorted((one, other) => one.order - other.order)
    .slice(0, listed)
    .map(({ lead }) => lead)
  const waiting = people.values()
  const answeredAt = new Map<string, number>()
  let sentBefore = 0
  const stopPeople = async () => {
    for (const { id, email } of waiting) {
      const { sending, sent } = await list.stop(actor, [{ email }])
      answeredAt.set(id, performance.now())
      sentBefore += sent
      expect(sending).toBe(0)
    }
  }
  const killWorkers = async () => {
    for (let killed = 0; killed < kills; killed++) {
      const victim = processes[Math.floor(random(0, processes.length))]
      await victim?.serving()
      await setTimeout(random(50, 400))
      await victim?.end('SIGKILL')
      await victim?.start()
    }
  }
  await Promise.all([killWorkers(), ...Array.from({ length: stopsAtOnce }, stopPeople)])
  await whileAsking(settings, (ask) =>
    until(
      async () =>
        Number(
          (await ask('select count(*) as n from deliveries where settled_at is null'))[0]?.n,
        ) === 0,
      { timeout: 20 * patience },
    ),
  )
  const late = [...answeredAt].filter(([id, at]) => (lastArrival.get(id) ?? 0) > at)
  const stopped = await store.database.db
    .selectFrom('deliveries')
    .select('lead_id')
    .where('settled_as', '=', 'do-not-contact')
    .execute()
  figure('Stop contact with four workers and kills', {
    ...{ workers: 4, leads, kills, listed, sentBefore, stopped: stopped.length },
    ...{ sentAfterTheAnswer: late.length, seed },
  })
  expect(answeredAt.size).toBe(listed)
  expect(late).toEqual([])
  const isListed = new Set(people.map(({ id }) => id))
  expect(stopped.every(({ lead_id }) => isListed.has(lead_id))).toBe(true)
  const missing = arrivals.filter(({ lead }) => !isListed.has(lead.id) && !lastArrival.has(lead.id))
  expect(missing).toEqual([])
})
