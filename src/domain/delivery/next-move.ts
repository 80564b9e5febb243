import type { Settlement } from './delivery.ts'
import type { AttemptOutcome } from './outcome.ts'

/** What follows an attempt. Times are epoch milliseconds. */
export type NextMove =
  | { readonly settledAs: Settlement; readonly at: number }
  /** `schedule`: our own wait, which the end of a trip cuts short. `distributor`: the time that it named. */
  | {
      readonly retryAt: number
      readonly setBy: 'schedule' | 'distributor'
      /** Without it, the attempt uses up one of the schedule. */
      readonly spends?: 'nothing'
    }
  /** We cut the attempt off ourselves, which says nothing about the lead: it is due as before. */
  | { readonly dueAgain: true }

/**
 * The breaker when the attempt had ended: it was closed; it was not, so that the distributor may be to blame; it was not,
 * and the lead had failed in this trip before.
 */
export type BreakerVerdict = 'closed' | 'open' | 'open again'

export interface AttemptToSettle {
  /** How many attempts have spent the schedule, this one included. */
  readonly tries: number
  /** When this one ended, in epoch milliseconds. */
  readonly endedAt: number
  /** Waits between attempts, in milliseconds. */
  readonly schedule: readonly number[]
  readonly verdict: BreakerVerdict
}

/** Undefined if no attempt was made, so that there is nothing to record. */
export function nextMove(outcome: AttemptOutcome, tried: AttemptToSettle): NextMove | undefined {
  const { name } = outcome
  const isStopped = 'reason' in outcome && outcome.reason === 'stopped'
  if (name === 'delivered' || name === 'rejected') return { settledAs: name, at: tried.endedAt }
  if (name === 'not-made') return isStopped ? undefined : { settledAs: 'dead', at: tried.endedAt }
  return isStopped ? { dueAgain: true } : tryAgain(outcome, tried)
}

/**
 * After the last wait of the schedule the delivery is dead, even if the distributor asks for another. It may ask for a longer
 * wait than ours, never for a shorter one: a Retry-After of 0 would spend nine attempts within four seconds. While the
 * breaker is not closed no lead dies: the distributor may be at fault.
 */
function tryAgain(outcome: AttemptOutcome, tried: AttemptToSettle): NextMove {
  const { tries, endedAt, schedule, verdict } = tried
  const wait = schedule[tries - 1]
  if (wait === undefined && verdict === 'closed') return { settledAs: 'dead', at: endedAt }
  const spends =
    wait === undefined || verdict === 'open again' ? { spends: 'nothing' as const } : {}
  const asked = ('retryAfterMs' in outcome && outcome.retryAfterMs) || 0
  const own = wait ?? schedule.at(-1) ?? 0
  return asked <= own
    ? { retryAt: endedAt + own, setBy: 'schedule', ...spends }
    : { retryAt: endedAt + asked, setBy: 'distributor', ...spends }
}
