import type { DatabaseSync } from 'node:sqlite'
import { type Move, markMoved } from '../../moves.ts'

const moved = 'these leads were copied to PostgreSQL, which delivers them'

/** Nobody is to go on with it: neither a server that knows the mark, nor one of a version before, which delivers no more. */
export function markSource(source: DatabaseSync, move: Move): void {
  markMoved(source, move)
  source
    .prepare(`update delivery_gate set paused_by = 'operator', pause_reason = ?, paused_at = ?`)
    .run(moved, move.at)
}

export function unmarkSource(source: DatabaseSync): void {
  source.exec('delete from moves')
  endPauseOfMove(source)
}

/** For a target that does not hold what the pause was for; an operator's own pause stays. */
export function endPauseOfMove(source: DatabaseSync): void {
  source
    .prepare(
      'update delivery_gate set paused_by = null, pause_reason = null, paused_at = null where pause_reason = ?',
    )
    .run(moved)
}
