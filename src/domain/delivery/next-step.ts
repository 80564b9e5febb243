import type { Settlement } from './delivery.ts'
import type { AttemptOutcome } from './outcome.ts'

/** The consequence of an attempt for its delivery. Times are epoch milliseconds. */
export type NextStep =
  | { readonly settledAs: Settlement; readonly at: number }
  /** `schedule`: our own wait, which a closing breaker cuts short. `distributor`: the wait from a Retry-After. */
  | {
      readonly retryAt: number
      readonly setBy: 'schedule' | 'distributor'
      /** If absent, the attempt counts against the retry schedule. */
      readonly spends?: 'nothing'
    }
  /** Our own process stopped the attempt, which proves nothing about the lead, so the lead stays due. */
  | { readonly dueAgain: true }

/**
 * The breaker's state at the end of an attempt. Unless the breaker is closed, the distributor may be at fault. `open
 * again`: the lead had already failed during the trip.
 */
export type BreakerAfterAttempt = 'closed' | 'open' | 'open again'

export interface FinishedAttempt {
  /** The number of attempts that count against the schedule, including the current attempt. */
  readonly tries: number
  /** The end of the current attempt, in epoch milliseconds. */
  readonly endedAt: number
  /** The waits between attempts, in milliseconds. */
  readonly schedule: readonly number[]
  readonly breakerAfter: BreakerAfterAttempt
}

/** Returns undefined if no attempt was made, so that there is nothing to record. */
export function decideNextStep(
  outcome: AttemptOutcome,
  tried: FinishedAttempt,
): NextStep | undefined {
  const { name } = outcome
  const isStopped = 'reason' in outcome && outcome.reason === 'stopped'
  if (name === 'delivered' || name === 'rejected') return { settledAs: name, at: tried.endedAt }
  if (name === 'not-made') return isStopped ? undefined : { settledAs: 'dead', at: tried.endedAt }
  return isStopped ? { dueAgain: true } : scheduleRetry(outcome, tried)
}

/**
 * After the last wait of the retry schedule, the delivery is dead, even if the distributor asks for another attempt. The
 * distributor may lengthen our wait but not shorten it: with a Retry-After of 0, nine attempts would fail within four
 * seconds. Unless the breaker is closed, no delivery becomes dead, because the distributor may be at fault.
 */
function scheduleRetry(outcome: AttemptOutcome, tried: FinishedAttempt): NextStep {
  const { tries, endedAt, schedule, breakerAfter } = tried
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
