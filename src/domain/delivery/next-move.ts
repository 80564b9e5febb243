import type { Settlement } from './delivery.ts'
import type { AttemptOutcome } from './outcome.ts'

/** The next step after an attempt. Times are epoch milliseconds. */
export type NextMove =
  | { readonly settledAs: Settlement; readonly at: number }
  /** `schedule`: our own wait, which the end of a trip cuts short. `distributor`: the time that the distributor named. */
  | {
      readonly retryAt: number
      readonly setBy: 'schedule' | 'distributor'
      /** If absent, the attempt uses up one wait of the schedule. */
      readonly spends?: 'nothing'
    }
  /** We stopped the attempt ourselves, which proves nothing about the lead: the lead is due again as before. */
  | { readonly dueAgain: true }

/**
 * The state of the breaker when the attempt ended. If it was not closed, the distributor may be at fault. `open again`:
 * the lead had also failed before in this trip.
 */
export type BreakerVerdict = 'closed' | 'open' | 'open again'

export interface AttemptToSettle {
  /** The number of attempts that used up the schedule, including the current attempt. */
  readonly tries: number
  /** The end of the current attempt, in epoch milliseconds. */
  readonly endedAt: number
  /** The waits between attempts, in milliseconds. */
  readonly schedule: readonly number[]
  readonly verdict: BreakerVerdict
}

/** Returns undefined if no attempt was made, so that there is nothing to record. */
export function nextMove(outcome: AttemptOutcome, tried: AttemptToSettle): NextMove | undefined {
  const { name } = outcome
  const isStopped = 'reason' in outcome && outcome.reason === 'stopped'
  if (name === 'delivered' || name === 'rejected') return { settledAs: name, at: tried.endedAt }
  if (name === 'not-made') return isStopped ? undefined : { settledAs: 'dead', at: tried.endedAt }
  return isStopped ? { dueAgain: true } : tryAgain(outcome, tried)
}

/**
 * After the last wait of the schedule the delivery is dead, even if the distributor asks for another attempt. The
 * distributor may ask for a longer wait than ours, never for a shorter one: a Retry-After of 0 would use up nine attempts
 * within four seconds. While the breaker is not closed no lead dies, because the distributor may be at fault.
 */
function tryAgain(outcome: AttemptOutcome, tried: AttemptToSettle): NextMove {
  const { tries, endedAt, schedule, verdict } = tried
  const wait = schedule[tries - 1]
  if (wait === undefined && verdict === 'closed') return { settledAs: 'dead', at: endedAt }
  const spends =
    wait === undefined || verdict === 'open again' ? { spends: 'nothing' as const } : {}
  const requestedWait = ('retryAfterMs' in outcome && outcome.retryAfterMs) || 0
  const scheduledWait = wait ?? schedule.at(-1) ?? 0
  return requestedWait <= scheduledWait
    ? { retryAt: endedAt + scheduledWait, setBy: 'schedule', ...spends }
    : { retryAt: endedAt + requestedWait, setBy: 'distributor', ...spends }
}
