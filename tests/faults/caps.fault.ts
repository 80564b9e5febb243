import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { emptyCap } from '#domain/delivery/cap.ts'
import { makeCapActions } from '#server/delivery/manage-caps.ts'
import { openStore } from '#server/store/open-store.ts'
import { patience } from '#tests/patience/patience.ts'
import { until } from '#tests/patience/until.ts'
import { askStore, whileAsking } from '#tests/store/ask-store.ts'
import { postgresPlace } from '#tests/store/store-places.ts'
import { type Behaviour, startDistributor, takes } from './distributor.ts'
import { times } from './extent.ts'
import { figure } from './figure.ts'
import { shortLeases } from './product-env.ts'
import { seed, seededRandom } from './seeded-random.ts'
import { startSetUp } from './set-ups.ts'
import { startVisitors } from './visitors.ts'

const enquiries = times({ modest: 60, full: 2000 })
const allowed = times({ modest: 15, full: 100 })
const kills = times({ modest: 2, full: 40 })
const answerMs = times({ modest: 300, full: 1000 })

/** A distributor that answers slowly, rejects one lead in eight, and loses one in thirty connections after it has accepted the lead. */
function slowDistributor(accepted: Set<string>): Behaviour {
  let received = 0
  return async (request, response) => {
    const key = String(request.headers['idempotency-key'])
    const turn = ++received
    await setTimeout(answerMs)
    if (turn % 8 === 0 && !accepted.has(key)) {
      const reply = { status: 'failure', reason: { base: ['Program is inactivated'] } }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
      return
    }
    accepted.add(key)
    if (turn % 30 === 0) request.socket.resetAndDestroy()
    else takes(request, response)
  }
}

const countWaiting = `select count(*) as n from deliveries where settled_at is null and not exists (
  select 1 from held_deliveries where delivery_id = deliveries.id and until_at = next_at)`

test('with four workers and kill -9, the distributor never gets more than a cap allows', async () => {
  const accepted = new Set<string>()
  const distributor = await startDistributor(slowDistributor(accepted))
  onTestFinished(distributor.stop)
  const roles = ['web', 'worker', 'worker', 'worker', 'worker']
  const { settings, processes, site } = await startSetUp(
    { makePlace: postgresPlace, roles },
    distributor,
    { onTestFinished },
    { ...shortLeases, DELIVERY_CONCURRENCY: '1' },
  )
  await site()
  const store = await openStore(settings)
  const caps = makeCapActions({
    ...{ db: store.database.db, audit: store.audit, clock: Date.now },
    zone: 'America/New_York',
  })
  const cap = { ...emptyCap, maxLeads: allowed, period: 'month' } as const
  await caps.save({ kind: 'command line', user: 'ada' }, cap)
  await store.close()
  const visitors = startVisitors({ atOnce: 16, enquiries, site })
  const random = seededRandom('caps')
  for (let killed = 0; killed < kills; killed++) {
    const victim = processes[1 + Math.floor(random(0, 4))]
    await victim?.serving()
    await setTimeout(random(50, 1500))
    await victim?.end('SIGKILL')
    await victim?.start()
  }
  await visitors.gone
  await whileAsking(settings, (ask) =>
    until(async () => Number((await ask(countWaiting))[0]?.n) === 0, { timeout: 10 * patience }),
  )
  const [counts] = await askStore(
    settings,
    `select count(*) as leads, sum(case when settled_as = 'rejected' then 1 else 0 end) as rejected,
      sum(case when settled_as = 'rejected' and unknown_attempts > 0 then 1 else 0 end) as rejected_after_doubt,
      sum(case when settled_as is null then 1 else 0 end) as held,
      (select count(*) from cap_uses) as used from deliveries`,
  )
  const [leads, rejected, held, used] = ['leads', 'rejected', 'held', 'used'].map((name) =>
    Number(counts?.[name]),
  )
  const rejectedAfterDoubt = Number(counts?.rejected_after_doubt)
  const account = { workers: 4, leads, kills, accepted: accepted.size, rejected, held, used }
  const lost = visitors.acknowledged.size - (leads ?? 0)
  figure('A cap with four workers and kills', {
    ...(account as Record<string, number>),
    ...{ rejectedAfterDoubt, lost, sent: distributor.received.length, seed },
  })
  expect(visitors.acknowledged.size).toBe(enquiries)
  expect(lost).toBe(0)
  expect(used).toBe(allowed)
  expect(accepted.size + rejectedAfterDoubt).toBe(allowed)
  expect(held).toBe(enquiries - accepted.size - (rejected ?? 0))
})
