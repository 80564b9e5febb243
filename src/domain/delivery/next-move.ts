import type { Settlement } from './delivery.ts'
import type { AttemptOutcome } from './outcome.ts'

export type NextMove =
  | { readonly kind: 'settle'; readonly as: Settlement }
  /** Try again `afterMs` from now. */
  | { readonly kind: 'retry'; readonly afterMs: number }

/**
 * What an attempt's outcome asks for. After the last wait of the schedule the delivery is dead.
 * @param attempt which attempt this was, from 1
 * @param schedule waits between attempts, in milliseconds
 */
export function nextMove(
  outcome: AttemptOutcome,
  attempt: number,
  schedule: readonly number[],
): NextMove {
  if (outcome.name === 'delivered') return { kind: 'settle', as: 'delivered' }
  if (outcome.name === 'rejected') return { kind: 'settle', as: 'rejected' }
  const wait = schedule[attempt - 1]
  if (wait === undefined) return { kind: 'settle', as: 'dead' }
  const asked = outcome.name === 'busy' ? outcome.retryAfterMs : undefined
  return { kind: 'retry', afterMs: asked ?? wait }
}
