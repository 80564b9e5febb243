import { type Action, judge } from '#domain/operator/rights.ts'
import type { Actor } from './operator.ts'

/** This role may not do that. Nothing was done. */
export class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError'
  readonly action: Action

  constructor(action: Action) {
    super(`this role may not ${action}`)
    this.action = action
  }
}

/** The role may do that after the operator confirms with a passkey or password. Nothing was done. */
export class StepUpRequiredError extends Error {
  override readonly name = 'StepUpRequiredError'
  readonly action: Action

  constructor(action: Action) {
    super(`to ${action}, confirm with a passkey or password first`)
    this.action = action
  }
}

/**
 * Each function of the console calls this first.
 * @param now epoch milliseconds
 * @throws NotAllowedError, StepUpRequiredError
 */
export function authorise(actor: Actor, action: Action, now: number): void {
  if (actor.kind === 'command line') return
  const verdict = judge(actor, action, now)
  if (verdict === 'not allowed') throw new NotAllowedError(action)
  if (verdict === 'step up') throw new StepUpRequiredError(action)
}
