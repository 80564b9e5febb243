import { type BulkAction, rightFor } from '#domain/job/bulk-action.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { authorise, NotAllowedError } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'

/** Nothing is done by it: who may do it is not asked for passkey or password yet. */
export function mayPlan(actor: Actor, action: BulkAction, now: number): void {
  authorise(actor, 'run jobs', now)
  if (actor.kind === 'console' && !isAllowed(actor.role, rightFor[action])) {
    throw new NotAllowedError(rightFor[action])
  }
}

export function mayRun(actor: Actor, action: BulkAction, now: number): void {
  authorise(actor, 'run jobs', now)
  authorise(actor, rightFor[action], now)
}
