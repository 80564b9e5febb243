import type { Settlement } from './delivery.ts'
import type { AttemptOutcome } from './outcome.ts'

export type NextMove =
  | { readonly kind: 'settle'; readonly as: Settlement }
  /** Try again `afterMs` from now: our own wait, or the one that the distributor asked for. */
  | {
      readonly kind: 'retry'
      readonly afterMs: number
      readonly setBy: 'schedule' | 'distributor'
      /** Without it, a try of the schedule. */
      readonly spends?: 'nothing'
    }
  /** We cut it off ourselves, which says nothing of the lead: it is due as before. */
  | { readonly kind: 'due-again' }
  /** There was no attempt, and nothing is to be written down of it. */
  | { readonly kind: 'give-back' }

/**
 * The breaker when the attempt had ended: it was closed; it was not, so that the distributor may be to blame; it was not,
 * and the lead had failed in this trip before.
 */
export type BreakerVerdict = 'closed' | 'open' | 'open again'

export interface Tried {
  /** How many attempts have spent the schedule, this one among them. */
  readonly tries: number
  /** Waits between attempts, in milliseconds. */
  readonly schedule: readonly number[]
  readonly verdict: BreakerVerdict
}

/** The step that follows an attempt's outcome. */
export function nextMove(outcome: AttemptOutcome, tried: Tried): NextMove {
  switch (outcome.name) {
    case 'delivered':
    case 'rejected':
      return { kind: 'settle', as: outcome.name }
    case 'not-made':
      return outcome.reason === 'stopped' ? { kind: 'give-back' } : { kind: 'settle', as: 'dead' }
    case 'unknown':
      return outcome.reason === 'stopped' ? { kind: 'due-again' } : tryAgain(outcome, tried)
    default:
      return tryAgain(outcome, tried)
  }
}

/**
 * After the last wait of the schedule the delivery is dead, even where the distributor asks for another. It may ask for
 * a longer wait than ours, never for a shorter one: with a Retry-After of 0 nine tries were spent within four seconds.
 * While the breaker is not closed no lead dies: it may be the distributor.
 */
function tryAgain(outcome: AttemptOutcome, { tries, schedule, verdict }: Tried): NextMove {
  const wait = schedule[tries - 1]
  if (wait === undefined && verdict === 'closed') return { kind: 'settle', as: 'dead' }
  const spends = wait === undefined || verdict === 'open again' ? nothing : {}
  const asked = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined
  const own = wait ?? schedule.at(-1) ?? 0
  return asked === undefined || asked <= own
    ? { kind: 'retry', afterMs: own, setBy: 'schedule', ...spends }
    : { kind: 'retry', afterMs: asked, setBy: 'distributor', ...spends }
}

const nothing = { spends: 'nothing' } as const
