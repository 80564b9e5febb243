import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Role } from '#domain/operator/permissions.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import {
  disableAccount,
  enableAccount,
  findAccount,
  insertAccount,
  linkLifetimes,
  listAccounts,
  lockOperatorRow,
  setAccountRole,
} from './accounts.ts'
import { type AuditEntry, type AuditedChange, runAuditedTransaction } from './audit.ts'
import { authorize } from './authorize.ts'
import { listCredentials, removeCredentials } from './credentials.ts'
import { insertOneTimeLink, type OneTimeLinkPurpose } from './one-time-links.ts'
import type { Actor, Operator } from './operator.ts'
import type { OperatorContext } from './operator-context.ts'

/** `oneself`: operators can't change their own account, so that at least one admin remains. */
export type AccountChangeOutcome = 'changed' | 'unchanged' | 'unknown' | 'oneself'

type StoreTransaction = Transaction<StoreTables>

export function listOperators({ db, clock }: OperatorContext, actor: Actor) {
  authorize(actor, 'see operators', clock())
  return listAccounts(db)
}

/** Adds an operator and makes an invitation. Resolves with undefined if the email address already has an account. */
export function addOperator(
  context: OperatorContext,
  actor: Actor,
  given: string,
  role: Role,
): Promise<OperatorLink | undefined> {
  const [id, email] = [randomUUIDv7(), toEmailAddress(given)]
  return runAuditedTransaction(
    context,
    {
      actor,
      permission: 'manage operators',
      action: 'added an operator',
      subject: id,
      reason: `as ${role}`,
    },
    async (tx, at) => {
      const operator = { id, email, role, createdAt: at, disabledAt: null }
      if (!(await insertAccount(tx, operator))) return undefined
      return insertOperatorLink(tx, actor, operator, { purpose: 'invitation', at })
    },
    (link) => link && 'added',
  )
}

export const changeRole = (context: OperatorContext, actor: Actor, id: string, role: Role) =>
  changeAccount(
    context,
    actor,
    { subject: id, action: 'changed a role', reason: `to ${role}` },
    async (tx, operator, at) => {
      if (operator.role === role) return undefined
      await setAccountRole(tx, id, role, at)
      return { before: { role: operator.role }, after: { role } }
    },
  )

export const disableOperator = (context: OperatorContext, actor: Actor, id: string) =>
  changeAccount(
    context,
    actor,
    { subject: id, action: 'disabled an operator' },
    async (tx, { disabledAt }, at) => {
      if (disabledAt !== null) return undefined
      await disableAccount(tx, id, at)
      return { after: { 'disabled since': new Date(at).toISOString() } }
    },
  )

export const enableOperator = (context: OperatorContext, actor: Actor, id: string) =>
  changeAccount(
    context,
    actor,
    { subject: id, action: 'enabled an operator' },
    async (tx, { disabledAt }) => {
      if (disabledAt === null) return undefined
      await enableAccount(tx, id)
      return { before: { 'disabled since': new Date(disabledAt).toISOString() } }
    },
  )

/** Unlinks an operator from single sign-on. The next person who signs in with this email address is linked. */
export const unlinkOperator = (context: OperatorContext, actor: Actor, id: string) =>
  changeAccount(context, actor, { subject: id, action: 'unlinked single sign-on' }, async (tx) => {
    const { issuers } = await listCredentials(tx, id)
    if (issuers.length === 0) return undefined
    await removeCredentials(tx, id, { kind: 'single sign-on' })
    return { before: { provider: issuers.join(', ') } }
  })

/** @param change changes the account; resolves with undefined if there is nothing to change */
const changeAccount = (
  context: OperatorContext,
  actor: Actor,
  entry: AuditEntry & { readonly subject: string },
  change: (
    tx: StoreTransaction,
    operator: Operator,
    at: number,
  ) => Promise<AuditedChange | undefined>,
): Promise<AccountChangeOutcome> =>
  runAuditedTransaction(
    context,
    { actor, permission: 'manage operators', ...entry },
    async (tx, at, keep) => {
      await lockOperatorRow(tx, entry.subject)
      const operator = await findAccount(tx, entry.subject)
      if (operator === undefined) return 'unknown'
      if (actor.kind === 'console' && actor.id === operator.id) return 'oneself'
      const changed = await change(tx, operator, at)
      if (changed === undefined) return 'unchanged'
      await keep(changed)
      return 'changed'
    },
    (outcome) => (outcome === 'changed' ? 'done' : undefined),
  )

/** Makes an invitation or a sign-in link. Resolves with undefined if the operator is disabled or unknown. */
export const makeOperatorLink = (
  context: OperatorContext,
  actor: Actor,
  id: string,
  purpose: OneTimeLinkPurpose,
): Promise<OperatorLink | undefined> =>
  runAuditedTransaction(
    context,
    {
      actor,
      permission: 'manage operators',
      action: purpose === 'invitation' ? 'made an invitation' : 'made a sign-in link',
      subject: id,
    },
    async (tx, at) => {
      const operator = await findAccount(tx, id)
      return operator?.disabledAt === null
        ? insertOperatorLink(tx, actor, operator, { purpose, at })
        : undefined
    },
    (link) => link && 'done',
  )

export interface OperatorLink {
  readonly operator: Operator
  readonly code: string
  readonly expiresAt: number
}

async function insertOperatorLink(
  tx: StoreTransaction,
  by: Actor,
  operator: Operator,
  { purpose, at }: { readonly purpose: OneTimeLinkPurpose; readonly at: number },
): Promise<OperatorLink> {
  const expiresAt = at + linkLifetimes[purpose]
  const link = { operatorId: operator.id, purpose, expiresAt, by }
  return { operator, code: await insertOneTimeLink(tx, link), expiresAt }
}
