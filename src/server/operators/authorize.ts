import { checkPermission, isAllowed, type Permission } from '#domain/operator/permissions.ts'
import type { Actor } from './operator.ts'

export class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError'
  readonly action: Permission

  constructor(action: Permission) {
    super(`this role may not ${action}`)
    this.action = action
  }
}

/** Thrown before an action starts if the operator first has to confirm with a passkey or password. */
export class StepUpRequiredError extends Error {
  override readonly name = 'StepUpRequiredError'
  readonly action: Permission

  constructor(action: Permission) {
    super(`to ${action}, confirm with a passkey or password first`)
    this.action = action
  }
}

/**
 * Checks the actor's permission. Every function that serves the console calls `authorize` first.
 * @throws NotAllowedError, StepUpRequiredError
 */
export function authorize(actor: Actor, action: Permission, now: number): void {
  if (actor.kind === 'command line') return
  const permission = checkPermission(actor, action, now)
  if (permission === 'not allowed') throw new NotAllowedError(action)
  if (permission === 'step up') throw new StepUpRequiredError(action)
}

/** Whether the actor's role permits an action, also one that needs a confirmation first. */
export const isAllowedFor = (actor: Actor, action: Permission): boolean =>
  actor.kind === 'command line' || isAllowed(actor.role, action)

/** Returns an operator's address or a user's name for those who may see the audit log, and an empty text for viewers. */
export const nameFor = (actor: Actor, who: string): string =>
  isAllowedFor(actor, 'see the audit log') ? who : ''
