import type { Settlement } from './delivery.ts'
import type { AttemptOutcome } from './outcome.ts'

/** What follows from an attempt for its delivery. Times are epoch milliseconds. */
export type DeliveryNextStep =
  | { readonly settledAs: Settlement; readonly at: number }
  | {
      readonly retryAt: number
      /** `schedule`: our own wait, which a closing breaker cuts short. `distributor`: the wait from a Retry-After. */
      readonly setBy: 'schedule' | 'distributor'
      /** If absent, the attempt counts against the retry schedule. */
      readonly spends?: 'nothing'
    }
  /** Our own process stopped the attempt, so the delivery stays due. */
  | { readonly dueAgain: true }

/** The breaker's state after an attempt. `open again`: the lead had already failed during the trip. */
export type BreakerAfterAttempt = 'closed' | 'open' | 'open again'

export interface FinishedAttempt {
  /** How many attempts count against the schedule, including this one. */
  readonly tries: number
  /** Epoch milliseconds. */
  readonly endedAt: number
  /** The waits between attempts, in milliseconds. */
  readonly schedule: readonly number[]
  readonly breakerAfter: BreakerAfterAttempt
}

/** Returns undefined if no attempt was made, so that there is nothing to record. */
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
 * After the last wait of the retry schedule, the delivery is dead, even if the distributor asks for another attempt. Unless
 * the breaker is closed, no delivery becomes dead, because the distributor may be at fault. The distributor may lengthen
 * our wait but not shorten it: with a Retry-After of 0, nine attempts would fail within four seconds.
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
