import { type Action, checkRight } from '#domain/operator/rights.ts'
import type { Actor } from './operator.ts'

/** Thrown before anything is done if the role lacks the permission. */
export class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError'
  readonly action: Action

  constructor(action: Action) {
    super(`this role may not ${action}`)
    this.action = action
  }
}

/** Thrown before anything is done if the operator first has to confirm with a passkey or password. */
export class StepUpRequiredError extends Error {
  override readonly name = 'StepUpRequiredError'
  readonly action: Action

  constructor(action: Action) {
    super(`to ${action}, confirm with a passkey or password first`)
    this.action = action
  }
}

/**
 * Checks a permission; each function of the console calls it first.
 * @param now epoch milliseconds
 * @throws NotAllowedError, StepUpRequiredError
 */
export function authorise(actor: Actor, action: Action, now: number): void {
  if (actor.kind === 'command line') return
  const verdict = checkRight(actor, action, now)
  if (verdict === 'not allowed') throw new NotAllowedError(action)
  if (verdict === 'step up') throw new StepUpRequiredError(action)
}
