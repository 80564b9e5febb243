import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import type { ClaimedDelivery, DeliveryQueue } from '../use-cases/deliver-leads.ts'
import { DeliveryWorker } from './delivery-worker.ts'

const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
let worker: DeliveryWorker | undefined

afterEach(async () => worker?.stop(0))

/** A queue that hands out what is put in, at most as much as is asked for. */
function queueOf(due: ClaimedDelivery[]) {
  const released: ClaimedDelivery[] = []
  const queue: DeliveryQueue = {
    claimDue: async ({ limit }) => due.splice(0, limit),
    record: async () => true,
    release: async (deliveries) => {
      released.push(...deliveries)
    },
  }
  return { queue, due, released }
}

const deliveries = (count: number): ClaimedDelivery[] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    lease: 'lease',
    attemptsBefore: 0,
    lead: exampleArrival().lead,
  }))

function start(
  queue: DeliveryQueue,
  deliverLead: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>,
  pollEvery = 60_000,
) {
  const log = pino({ level: 'silent' })
  worker = new DeliveryWorker(
    { queue, deliverLead, clock: () => 0, log, onAttempt: () => undefined },
    { concurrency: 2, lease: 1000, pollEvery },
  )
  worker.start()
  return worker
}

it('drains a backlog oldest first, never more at once than its concurrency', async () => {
  const { queue } = queueOf(deliveries(7))
  const order: string[] = []
  let [underWay, most] = [0, 0]
  const done = Promise.withResolvers<void>()
  start(queue, async ({ id }) => {
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

it('takes up a new delivery when it is woken, long before it would look by itself', async () => {
  const { queue, due } = queueOf([])
  const done = Promise.withResolvers<string>()
  const started = start(queue, async ({ id }) => {
    done.resolve(id)
    return delivered
  })
  due.push(...deliveries(1))
  started.wake()
  expect(await done.promise).toBe('0')
})

it('goes on after the store has failed', async () => {
  const { queue, due } = queueOf(deliveries(1))
  const claimDue = queue.claimDue
  let isBroken = true
  const done = Promise.withResolvers<void>()
  const broken: DeliveryQueue = {
    ...queue,
    claimDue: async (claim) => {
      if (!isBroken) return claimDue(claim)
      isBroken = false
      throw new Error('the disk is full')
    },
  }
  start(
    broken,
    async () => {
      done.resolve()
      return delivered
    },
    1,
  )
  await done.promise
  expect(due).toEqual([])
})

it('lets what is under way finish before it stops', async () => {
  const { queue } = queueOf(deliveries(1))
  const call = Promise.withResolvers<AttemptOutcome>()
  const begun = Promise.withResolvers<void>()
  let isFinished = false
  const started = start(queue, async () => {
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

it('cuts off what does not finish in time', async () => {
  const { queue } = queueOf(deliveries(1))
  const begun = Promise.withResolvers<void>()
  const started = start(queue, async (_, signal) => {
    begun.resolve()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { name: 'unknown', detail: 'cut off' }
  })
  await begun.promise
  await expect(started.stop(1)).resolves.toBeUndefined()
})
