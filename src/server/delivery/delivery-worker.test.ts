import { pino } from 'pino'
import { expect, it, test } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { delivered, deliveries, queueOf, startWorker } from '#tests/delivery/start-worker.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { findClaimLimit } from './delivery-worker.ts'

it('drains a backlog oldest first, never more at once than its concurrency', async () => {
  const { queue } = queueOf(deliveries(7))
  const order: string[] = []
  let [underWay, most] = [0, 0]
  const done = Promise.withResolvers<void>()
  startWorker(queue, async ({ id }) => {
    order.push(id)
    most = Math.max(most, ++underWay)
    await new Promise(setImmediate)
    underWay--
    if (order.length === 7) done.resolve()
    return delivered
  })
  await done.promise
  expect(order).toEqual(['0', '1', '2', '3', '4', '5', '6'])
  expect(most).toBe(2)
})

it('starts a new delivery when woken, long before its next poll', async () => {
  const { queue, due } = queueOf([])
  const done = Promise.withResolvers<string>()
  const started = startWorker(queue, async ({ id }) => {
    done.resolve(id)
    return delivered
  })
  due.push(...deliveries(1))
  started.wake()
  expect(await done.promise).toBe('0')
})

it('claims again at once if a claim found only leads that a cap holds', async () => {
  const { queue } = queueOf(deliveries(1))
  let claims = 0
  const done = Promise.withResolvers<string>()
  startWorker(
    {
      ...queue,
      claimDue: async (claim, onHeld) => {
        if (++claims > 1) return queue.claimDue(claim)
        onHeld?.()
        return []
      },
    },
    async ({ id }) => {
      done.resolve(id)
      return delivered
    },
    { pollEvery: 3_600_000 },
  )
  expect(await done.promise).toBe('0')
})

it('continues after a store failure and logs it once', async () => {
  const { queue, due } = queueOf(deliveries(1))
  const claimDue = queue.claimDue
  let failures = 20
  const done = Promise.withResolvers<void>()
  const broken: DeliveryQueue = {
    ...queue,
    claimDue: async (claim) => {
      if (failures === 0) return claimDue(claim)
      failures--
      throw new Error('the disk is full')
    },
  }
  const errors: string[] = []
  startWorker(
    broken,
    async () => {
      done.resolve()
      return delivered
    },
    { pollEvery: 1, log: pino({ level: 'error' }, { write: (line) => errors.push(line) }) },
  )
  await done.promise
  expect(due).toEqual([])
  expect(errors).toHaveLength(1)
})

/** Attempts one delivery without success and resolves with the warning in the log. */
async function findWarning(due: ClaimedDelivery[], outcome: AttemptOutcome) {
  const { queue } = queueOf(due)
  const line = Promise.withResolvers<string>()
  startWorker(queue, async () => outcome, {
    log: pino({ level: 'warn', base: null }, { write: line.resolve }),
  })
  const { level, time, ...warning } = JSON.parse(await line.promise)
  return warning
}

it('logs by its id alone that a lead has died', async () => {
  const due = deliveries(1)
  const leadId = due[0]?.lead.id
  const refused: AttemptOutcome = { name: 'refused', httpStatus: 403 }
  expect(await findWarning(due, refused)).toEqual({
    ...{ leadId, attempts: 1, ...refused },
    msg: expect.stringContaining('is dead: every attempt'),
  })
})

it('logs the id of an unreadable lead and the names of its unreadable parts', async () => {
  const lead = { id: 'a', receivedAt: 9, unreadable: { parts: ['program.name', 'phone'] } }
  const due = deliveries(1).map((delivery) => ({ ...delivery, lead }))
  const outcome: AttemptOutcome = { name: 'not-made', reason: 'unreadable' }
  expect(await findWarning(due, outcome)).toEqual({
    ...{ leadId: 'a', parts: ['program.name', 'phone'], attempts: 0, ...outcome },
    msg: expect.stringContaining('is dead: its stored data cannot be read'),
  })
})

it('lets running calls finish before it stops', async () => {
  const { queue } = queueOf(deliveries(1))
  const call = Promise.withResolvers<AttemptOutcome>()
  const begun = Promise.withResolvers<void>()
  let isFinished = false
  const started = startWorker(queue, async () => {
    begun.resolve()
    const outcome = await call.promise
    isFinished = true
    return outcome
  })
  await begun.promise
  const stopped = started.stop(60_000)
  call.resolve(delivered)
  await stopped
  expect(isFinished).toBe(true)
})

it('aborts calls that do not finish in time', async () => {
  const { queue } = queueOf(deliveries(1))
  const begun = Promise.withResolvers<void>()
  const started = startWorker(queue, async (_, signal) => {
    begun.resolve()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { name: 'unknown', reason: 'timeout' }
  })
  await begun.promise
  await expect(started.stop(1)).resolves.toBeUndefined()
})

it('gives back unused deliveries when it stops', async () => {
  const { queue, givenBack } = queueOf(deliveries(4))
  const call = Promise.withResolvers<AttemptOutcome>()
  const begun: string[] = []
  const bothBegun = Promise.withResolvers<void>()
  const started = startWorker(queue, async ({ id }) => {
    begun.push(id)
    if (begun.length === 2) bothBegun.resolve()
    return call.promise
  })
  await bothBegun.promise
  const stopped = started.stop(60_000)
  call.resolve(delivered)
  await stopped
  expect(begun).toEqual(['0', '1'])
  expect(givenBack.map(({ id }) => id)).toEqual(['2', '3'])
})

it('does not begin with a lease that may end before the attempt does', async () => {
  const { queue, givenBack } = queueOf(deliveries(1))
  let now = 0
  const gaveBack = Promise.withResolvers<void>()
  let calls = 0
  startWorker(
    {
      ...queue,
      claimDue: async (claim) => {
        const claimed = await queue.claimDue(claim)
        // The store was busy, so too little of the lease is left.
        now = 201
        return claimed
      },
      giveBack: async (given) => {
        givenBack.push(...given)
        gaveBack.resolve()
      },
    },
    async () => {
      calls++
      return delivered
    },
    { clock: () => now },
  )
  await gaveBack.promise
  expect(calls).toBe(0)
  expect(givenBack).toHaveLength(1)
})

it('does not send a delivery twice if a jump of the clock ends its lease', async () => {
  const { queue, due } = queueOf(deliveries(1))
  const call = Promise.withResolvers<AttemptOutcome>()
  const begun = Promise.withResolvers<void>()
  const sentLast = Promise.withResolvers<void>()
  const calls: string[] = []
  const started = startWorker(queue, async ({ id }) => {
    calls.push(id)
    begun.resolve()
    if (id === '1') sentLast.resolve()
    return id === '1' ? delivered : call.promise
  })
  await begun.promise
  due.push(...deliveries(2))
  started.wake()
  await sentLast.promise
  expect(calls).toEqual(['0', '1'])
  call.resolve(delivered)
})

it('repeats a failed return of leases when it stops', async () => {
  const { promise: answer, resolve: answered } = Promise.withResolvers<AttemptOutcome>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { queue } = queueOf(deliveries(1))
  let isOwed = false
  const returnLeases = async () => {
    isOwed = false
    return true
  }
  const record = async () => {
    isOwed = true
    return false
  }
  const deliver = () => {
    begin()
    return answer
  }
  const started = startWorker({ ...queue, record, returnLeases }, deliver)
  await begun
  const stopped = started.stop(60_000)
  await new Promise((resolve) => setImmediate(resolve))
  answered(delivered)
  await stopped
  expect(isOwed).toBe(false)
})

test('with a thousand slots, a claim takes no more than a statement allows', () =>
  expect(findClaimLimit({ free: 1000, concurrency: 1000, waiting: 0, callMs: 10 })).toBe(1000))
