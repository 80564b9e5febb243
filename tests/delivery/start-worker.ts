import { type Logger, pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type BreakerState, closedBreaker } from '#domain/delivery/breaker.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { ClaimedDelivery } from '#server/delivery/claim-deliveries.ts'
import type { DeliveryQueue } from '#server/delivery/delivery-queue.ts'
import { makeDeliveryWorker } from '#server/delivery/delivery-worker.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

export const delivered: AttemptOutcome = { name: 'delivered', httpStatus: 200 }
/** A queue that hands out the given deliveries, at most as many as the worker asks for. */
export function queueOf(due: ClaimedDelivery[]) {
  const givenBack: ClaimedDelivery[] = []
  const queue: DeliveryQueue = {
    claimDue: async ({ limit }) => due.splice(0, limit),
    claimProbe: async () => due.shift(),
    record: async () => true,
    giveBack: async (deliveries) => {
      givenBack.push(...deliveries)
    },
    returnLeases: async () => true,
  }
  return { queue, due, givenBack }
}

export const deliveries = (count: number): ClaimedDelivery[] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    lease: 'lease',
    leasedUntil: 1000,
    attemptsBefore: 0,
    attemptsSpent: 0,
    lead: exampleArrival().lead,
  }))

interface Circumstances {
  readonly pollEvery?: number
  readonly breakerState?: () => BreakerState
  readonly clock?: () => number
  readonly log?: Logger
}

/** Starts a worker with two slots, which stops with the test. */
export function startWorker(
  queue: DeliveryQueue,
  deliver: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>,
  {
    pollEvery = 60_000,
    breakerState = () => closedBreaker,
    clock = () => 0,
    log = pino({ level: 'silent' }),
  }: Circumstances = {},
) {
  const storeFailureLog = makeFailureLog(log, { begins: '', ends: '' })
  const breaker = {
    start: async () => undefined,
    read: async () => breakerState(),
    isClosed: () => breakerState() === closedBreaker,
    record: async () => 'closed' as const,
  }
  const send = async (delivery: ClaimedDelivery, signal: AbortSignal) => {
    const outcome = await deliver(delivery, signal)
    return { delivery, startedAt: 0, endedAt: 0, outcome }
  }
  const worker = makeDeliveryWorker(
    { queue, breaker, send, clock, log, storeFailureLog },
    { concurrency: 2, lease: 1000, pollEvery, retrySchedule: [] },
  )
  void worker.start()
  onTestFinished(() => worker.stop(0))
  return worker
}
