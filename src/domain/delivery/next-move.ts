import type { Settlement } from './delivery.ts'
import type { AttemptOutcome } from './outcome.ts'

export type NextMove =
  | { readonly kind: 'settle'; readonly as: Settlement }
  /** Try again `afterMs` from now: our own wait, or the one that the distributor asked for. */
  | {
      readonly kind: 'retry'
      readonly afterMs: number
      readonly setBy: 'schedule' | 'distributor'
    }
  /** Nothing follows for the lead: it is due as before. */
  | { readonly kind: 'due-again' }

/**
 * What an attempt's outcome asks for. After the last wait of the schedule the delivery is dead, even where the
 * distributor asks for another: a Retry-After of 0 would otherwise go round for ever.
 * @param tries how many attempts have spent the schedule, this one among them
 * @param schedule waits between attempts, in milliseconds
 */
export function nextMove(
  outcome: AttemptOutcome,
  tries: number,
  schedule: readonly number[],
): NextMove {
  if (outcome.name === 'delivered') return { kind: 'settle', as: 'delivered' }
  if (outcome.name === 'rejected') return { kind: 'settle', as: 'rejected' }
  // Our configuration is wrong, not the lead.
  if (outcome.name === 'refused') return { kind: 'due-again' }
  const wait = schedule[tries - 1]
  if (wait === undefined) return { kind: 'settle', as: 'dead' }
  const asked = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined
  return asked === undefined
    ? { kind: 'retry', afterMs: wait, setBy: 'schedule' }
    : { kind: 'retry', afterMs: asked, setBy: 'distributor' }
}
