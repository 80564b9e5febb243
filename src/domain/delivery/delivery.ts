import type { AttemptOutcome } from './outcome.ts'

/**
 * How a delivery ended. `erased`: it ended because the person's data were erased. `do-not-contact`: it ended because the
 * person is on the do-not-contact list.
 */
export type Settlement = 'delivered' | 'rejected' | 'dead' | 'erased' | 'do-not-contact'

/** The results that an operator may set for a delivery if the distributor may have received the lead. */
export const manualSettlements = ['delivered', 'rejected'] as const satisfies readonly Settlement[]

export type ManualSettlement = (typeof manualSettlements)[number]

/** Returns whether a delivery ended without acceptance. A repeated enquiry is then no duplicate. */
export const isNotAccepted = (settledAs: Settlement | null | undefined): boolean =>
  settledAs === 'rejected' || settledAs === 'dead' || settledAs === 'do-not-contact'

export type DeliveryStatus = 'pending' | 'leased' | Settlement

interface DeliveryStatusFields {
  readonly settledAs: Settlement | null
  /** The end of a worker's lease in epoch milliseconds; null without a lease. */
  readonly leasedUntil: number | null
}

export function findDeliveryStatus(delivery: DeliveryStatusFields, now: number): DeliveryStatus {
  if (delivery.settledAs !== null) return delivery.settledAs
  return delivery.leasedUntil !== null && delivery.leasedUntil > now ? 'leased' : 'pending'
}

/** The share of its lease that a worker must still have when it begins an attempt. */
export const minLeaseShareLeft = 0.8

/** The longest time that an attempt waits for the IP service, in milliseconds. */
export const ipLookupTimeoutMs = 3000

/**
 * Returns the shortest lease, in milliseconds, that outlasts every attempt, so that no two workers send the same lead.
 * @param looksUpIp whether an attempt asks the IP service before it calls the distributor
 */
export const calculateMinLeaseMs = (callTimeoutMs: number, looksUpIp: boolean): number =>
  Math.ceil((callTimeoutMs + (looksUpIp ? ipLookupTimeoutMs : 0)) / minLeaseShareLeft)

/** What happens to a delivery after an attempt. Times are epoch milliseconds. */
export type DeliveryNextStep =
  | { readonly settledAs: Settlement; readonly at: number }
  | {
      readonly retryAt: number
      /** `schedule`: the retry schedule's wait, which ends if the breaker closes. `distributor`: its Retry-After. */
      readonly setBy: 'schedule' | 'distributor'
      /** `nothing`: the attempt doesn't count against the retry schedule. Absent: it counts. */
      readonly spends?: 'nothing'
    }
  /** Our own process stopped the attempt, so the delivery is due again at once. */
  | { readonly dueAgain: true }

/** The breaker's state after an attempt. `open again`: the lead had failed before during the same trip. */
export type BreakerAfterAttempt = 'closed' | 'open' | 'open again'

export interface FinishedAttempt {
  /** The number of attempts that count against the retry schedule, including this attempt. */
  readonly tries: number
  readonly endedAt: number
  /** The waits of the retry schedule, in milliseconds. */
  readonly schedule: readonly number[]
  readonly breakerAfter: BreakerAfterAttempt
}

/** Decides what happens to a delivery; undefined if no attempt was made and there is nothing to record. */
export function decideNextStep(
  outcome: AttemptOutcome,
  finished: FinishedAttempt,
): DeliveryNextStep | undefined {
  const { name } = outcome
  const at = finished.endedAt
  const isStopped = 'reason' in outcome && outcome.reason === 'stopped'
  if (name === 'delivered' || name === 'rejected') return { settledAs: name, at }
  if (name === 'not-made') return isStopped ? undefined : { settledAs: 'dead', at }
  return isStopped ? { dueAgain: true } : scheduleRetry(outcome, finished)
}

/**
 * Schedules the next attempt. After the last wait of the retry schedule, the delivery is dead, even if the distributor
 * asks for another attempt. While the breaker is open, no delivery becomes dead, because the distributor may be at
 * fault. A Retry-After can only lengthen our wait: with a Retry-After of 0, nine attempts would fail within four
 * seconds.
 */
function scheduleRetry(outcome: AttemptOutcome, finished: FinishedAttempt): DeliveryNextStep {
  const { tries, endedAt, schedule, breakerAfter } = finished
  const wait = schedule[tries - 1]
  if (wait === undefined && breakerAfter === 'closed') return { settledAs: 'dead', at: endedAt }
  const spends =
    wait === undefined || breakerAfter === 'open again' ? { spends: 'nothing' as const } : {}
  const requestedWait = ('retryAfterMs' in outcome && outcome.retryAfterMs) || 0
  const scheduledWait = wait ?? schedule.at(-1) ?? 0
  return requestedWait <= scheduledWait
    ? { retryAt: endedAt + scheduledWait, setBy: 'schedule', ...spends }
    : { retryAt: endedAt + requestedWait, setBy: 'distributor', ...spends }
}
