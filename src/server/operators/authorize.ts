import type { Kysely, Transaction } from 'kysely'
import { checkPermission, type Permission } from '#domain/operator/permissions.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  type AuditEntry,
  type AuditLog,
  type KeepChange,
  runAuditedTransaction,
  runWithAudit,
} from './audit.ts'
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
 * @param now epoch milliseconds
 * @throws NotAllowedError, StepUpRequiredError
 */
export function authorize(actor: Actor, action: Permission, now: number): void {
  if (actor.kind === 'command line') return
  const permission = checkPermission(actor, action, now)
  if (permission === 'not allowed') throw new NotAllowedError(action)
  if (permission === 'step up') throw new StepUpRequiredError(action)
}

/** Makes a function that authorizes an actor, acts, and records the action and its outcome in the audit log. */
export const makeAuthorizedChange =
  ({ audit, clock }: Pick<OperatorContext, 'audit' | 'clock'>, permission: Permission) =>
  <Result>(
    actor: Actor,
    entry: AuditEntry,
    act: (at: number, keep: KeepChange) => Promise<Result>,
    describeResult?: (result: Result) => string,
  ): Promise<Result> => {
    const at = clock()
    authorize(actor, permission, at)
    return runWithAudit(audit, { actor, at, ...entry }, (keep) => act(at, keep), describeResult)
  }

/** Like {@link makeAuthorizedChange}, but acts and records in one transaction: see {@link runAuditedTransaction}. */
export const makeAuthorizedTransaction =
  ({ db, clock }: Pick<OperatorContext, 'db' | 'clock'>, permission: Permission) =>
  <Result>(
    actor: Actor,
    entry: AuditEntry,
    act: (store: Transaction<StoreTables>, at: number, keep: KeepChange) => Promise<Result>,
    describeResult: (result: Result) => string | undefined,
  ): Promise<Result> => {
    const at = clock()
    authorize(actor, permission, at)
    return runAuditedTransaction(
      db,
      { actor, at, ...entry },
      (store, keep) => act(store, at, keep),
      describeResult,
    )
  }

export interface OperatorContext {
  readonly db: Kysely<StoreTables>
  readonly audit: AuditLog
  /** Returns the current time, in epoch milliseconds. */
  readonly clock: () => number
}

export interface SignInContext extends OperatorContext {
  /** The console's public origin, whose host name passkeys are bound to. */
  readonly origin: () => string
  /** Resolves with a random secret by name. All processes that use the same store share the secret. */
  readonly readSharedSecret: (name: string) => Promise<string>
}
