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

/** They may, once they have given their passkey or password again. Nothing was done. */
export class AskAgainError extends Error {
  override readonly name = 'AskAgainError'
  readonly action: Action

  constructor(action: Action) {
    super(`passkey or password are asked again before one may ${action}`)
    this.action = action
  }
}

/**
 * The first line of every use-case of the console.
 * @param now epoch milliseconds
 * @throws NotAllowedError, AskAgainError
 */
export function authorise(actor: Actor, action: Action, now: number): void {
  if (actor.kind === 'command line') return
  const verdict = judge(actor, action, now)
  if (verdict === 'not allowed') throw new NotAllowedError(action)
  if (verdict === 'ask again') throw new AskAgainError(action)
}

/**
 * For a form that is refused before its use-case is asked: who may not do it at all is told that first.
 * @throws NotAllowedError, AskAgainError
 */
export type May = (actor: Actor, action: Action) => void

export const makeMay =
  (clock: () => number): May =>
  (actor, action) =>
    authorise(actor, action, clock())
