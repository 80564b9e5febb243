import type { Logger } from 'pino'
import type { BreakerState } from '#domain/delivery/breaker.ts'
import { minLeaseShareLeft } from '#domain/delivery/delivery.ts'
import type { FailureLog } from '#server/platform/observability/failure-log.ts'
import { makePollingLoop } from '#server/platform/polling-loop.ts'
import type { ClaimedDelivery, ClaimedItem } from './claim-deliveries.ts'
import {
  type AttemptDependencies,
  type CompletedAttempt,
  type DeliveryBreaker,
  makeAttemptRunner,
  retryUntilResult,
} from './delivery-attempts.ts'
import type { OutboxQueue } from './delivery-queue.ts'

interface DeliveryWorkerDependencies<Item extends ClaimedItem = ClaimedDelivery>
  extends AttemptDependencies<Item> {
  readonly queue: OutboxQueue<Item>
  readonly breaker: DeliveryBreaker
  readonly log: Logger
  readonly storeFailureLog: FailureLog
  readonly onAttempt?: (attempted: CompletedAttempt<Item>) => void
  readonly logAttempt?: (log: Logger, attempted: CompletedAttempt<Item>, isDead: boolean) => void
}

interface WorkerSettings {
  /** How many calls may run at once. */
  readonly concurrency: number
  /** How long a claimed delivery is leased, in milliseconds. */
  readonly lease: number
  /** Milliseconds between two polls. A poll finds due deliveries that no wake-up announced, such as retries. */
  readonly pollEvery: number
  /** The waits between attempts, in milliseconds. */
  readonly retrySchedule: readonly number[]
  /** The school's time zone, in which caps count days and months; UTC by default. */
  readonly zone?: string
}

/**
 * The worker claims as many deliveries as it can send in this many milliseconds: enough until its next claim, yet few
 * to give back when the breaker opens or the worker stops.
 */
const prefetchWindowMs = 100

/** The most deliveries to claim ahead, as a multiple of the concurrency. */
const maxPrefetchFactor = 8

/** The most deliveries per claim: each may need eight parameters, and SQLite allows 32,766 per statement. */
const maxDeliveriesPerClaim = 1000

/** The most deliveries that are being sent or recorded at once, as a multiple of the concurrency. */
const maxUnrecordedFactor = 8

/** The weight of a new measurement in the average duration of a call. */
const smoothingFactor = 0.1

/** Makes a worker, which claims due deliveries shortly before they are needed, and attempts each one. */
export function makeDeliveryWorker<Item extends ClaimedItem = ClaimedDelivery>(
  dependencies: DeliveryWorkerDependencies<Item>,
  { concurrency, lease, pollEvery, retrySchedule, zone }: WorkerSettings,
) {
  const { queue, breaker, clock, log, storeFailureLog, onAttempt } = dependencies
  const { logAttempt = logDelivery } = dependencies
  const attempts = makeAttemptRunner(dependencies, retrySchedule)
  const abort = new AbortController()
  /** Claimed deliveries whose call has not started, oldest first. */
  const claimedAhead: Item[] = []
  /** The deliveries by id whose call has started and whose attempt is not yet recorded. */
  const underWay = new Map<string, Promise<void>>()
  let calls = 0
  /** The average duration of a call, in milliseconds; the initial value assumes slow calls. */
  let callMs = prefetchWindowMs
  /** False after a claim that found fewer deliveries than its limit, until a wake-up, a poll or a return of leases. */
  let mayFindMore = true
  /** The time of the next poll, as in `performance.now()`. */
  let pollAt = 0

  const countFreeSlots = (): number =>
    Math.min(concurrency - calls, concurrency * maxUnrecordedFactor - underWay.size)

  const giveBack = async (deliveries: readonly Item[]): Promise<void> => {
    if (deliveries.length === 0) return
    mayFindMore = true
    // If returning the leases fails, the next claim returns them.
    await queue.giveBack(deliveries).catch((error: unknown) => storeFailureLog.failed(error))
  }

  /** Gives back all unused leases, and retries until the worker must stop. */
  const returnLeases = async (): Promise<void> => {
    const act = async () => (await queue.returnLeases(clock())) || undefined
    const onFailed = (error: unknown) => storeFailureLog.failed(error)
    await retryUntilResult(act, { signal: abort.signal, onFailed }).catch(() => undefined)
  }

  /** Never rejects: a delivery that fails is claimed again when its lease ends. */
  const deliver = async (delivery: Item): Promise<void> => {
    const { id: leadId } = delivery.lead
    const begunAt = performance.now()
    calls++
    const attempted = await attempts
      .attempt(delivery, abort.signal)
      .catch((error: unknown) => log.error({ leadId, err: error }, 'delivery attempt failed'))
    calls--
    callMs += (performance.now() - begunAt - callMs) * smoothingFactor
    if (!attempted) return
    proceed()
    try {
      const isDead = await attempts.record(attempted, abort.signal)
      storeFailureLog.succeeded()
      if (attempted.outcome.name !== 'not-made') onAttempt?.(attempted)
      logAttempt(log, attempted, isDead)
    } catch (error) {
      storeFailureLog.failed(error)
      log.error(
        { leadId },
        'delivery attempt not recorded: the lead is claimed again when its lease ends',
      )
    }
  }

  const begin = (delivery: Item): void => {
    // If the clock jumps, this process may claim a delivery that it is still sending.
    if (underWay.has(delivery.id)) return
    const delivered = deliver(delivery).finally(() => {
      underWay.delete(delivery.id)
      proceed()
    })
    underWay.set(delivery.id, delivered)
  }

  const beginNext = (): void => {
    while (countFreeSlots() > 0 && !loop.isStopping() && breaker.isClosed()) {
      const delivery = claimedAhead.shift()
      if (delivery === undefined) return
      const leaseShareLeft = (delivery.leasedUntil - clock()) / lease
      if (leaseShareLeft >= minLeaseShareLeft) begin(delivery)
      else void giveBack([delivery])
    }
  }

  const proceed = (): void => {
    beginNext()
    loop.wake()
  }

  const makeClaim = () => {
    const now = clock()
    return { now, leaseUntil: now + lease, zone }
  }

  const claimAhead = async (): Promise<void> => {
    beginNext()
    while (mayFindMore && !loop.isStopping()) {
      const [free, waiting] = [countFreeSlots(), claimedAhead.length]
      const limit = findClaimLimit({ free, concurrency, waiting, callMs })
      if (limit === 0) return
      // A wake-up during the claim may announce more deliveries than the claim finds, and sets `mayFindMore` again.
      mayFindMore = false
      const claimed = await queue.claimDue({ ...makeClaim(), limit }, () => {
        // A claim counts held deliveries toward its limit, so more due deliveries may be left.
        mayFindMore = true
      })
      if (claimed.length === limit) mayFindMore = true
      claimedAhead.push(...claimed)
      beginNext()
    }
  }

  /**
   * Gives back the deliveries claimed ahead, because the breaker is not closed, and sends a probe if one is due.
   * @returns the milliseconds until the next probe
   */
  const sendDueProbe = async ({ pause, trip }: BreakerState): Promise<number> => {
    await giveBack(claimedAhead.splice(0))
    if (pause !== null || trip === null) return pollEvery
    const untilProbe = trip.probeAt - clock()
    if (untilProbe > 0) return Math.min(untilProbe, pollEvery)
    const probe = countFreeSlots() > 0 ? await queue.claimProbe(makeClaim()) : undefined
    if (probe !== undefined) begin(probe)
    return pollEvery
  }

  /** @returns the milliseconds until the next round, which begins when a probe is due or at the next poll */
  const runRound = async (): Promise<number> => {
    if (performance.now() >= pollAt) {
      mayFindMore = true
      pollAt = performance.now() + pollEvery
    }
    const state = await breaker.read()
    if (!breaker.isClosed()) return sendDueProbe(state)
    await claimAhead()
    return pollEvery
  }

  const loop = makePollingLoop(runRound, storeFailureLog, pollEvery)
  return {
    start: async (): Promise<void> => {
      await breaker.start()
      loop.start()
    },
    /** Makes the worker look for due deliveries at once, unless the breaker makes deliveries wait. */
    wake: (): void => {
      mayFindMore = true
      if (breaker.isClosed()) loop.wake()
    },
    /** Stops claiming, waits at most `graceMs` milliseconds for calls in progress, and aborts the rest. */
    stop: async (graceMs: number): Promise<void> => {
      await loop.stop()
      await giveBack(claimedAhead.splice(0))
      const cutOff = setTimeout(() => abort.abort(), graceMs)
      await Promise.all([...underWay.values(), returnLeases()])
      // The last attempts may also have left leases to return.
      await returnLeases()
      clearTimeout(cutOff)
    },
  }
}

export type DeliveryWorker = ReturnType<typeof makeDeliveryWorker>

interface Claiming {
  /** How many more calls may start now. */
  readonly free: number
  /** How many calls may run at once. */
  readonly concurrency: number
  /** How many claimed deliveries wait for their call. */
  readonly waiting: number
  readonly callMs: number
}

/** Returns how many deliveries to claim now, or 0 while at least half of the target is claimed already. */
export function findClaimLimit({ free, concurrency, waiting, callMs }: Claiming): number {
  const rounds = Math.min(maxPrefetchFactor, Math.floor(prefetchWindowMs / callMs))
  const target = free + rounds * concurrency
  const missing = target - waiting
  return missing * 2 > target ? Math.min(missing, maxDeliveriesPerClaim) : 0
}

/** Logs an attempt's outcome, with the lead's id and no personal data, and warns if the lead is dead. */
function logDelivery(
  log: Logger,
  { delivery, outcome }: CompletedAttempt<ClaimedItem>,
  isDead: boolean,
): void {
  const { id: leadId, unreadable } = delivery.lead
  const isMade = outcome.name !== 'not-made'
  log.info({ leadId, ...outcome }, isMade ? 'delivery attempted' : 'delivery not attempted')
  if (!isDead) return
  const attempts = delivery.attemptsBefore + (isMade ? 1 : 0)
  const why = unreadable
    ? 'its stored data cannot be read'
    : 'every attempt of its retry schedule failed'
  const about = { leadId, ...unreadable, attempts, ...outcome }
  log.warn(about, `a lead is dead: ${why}; an operator must act`)
}
