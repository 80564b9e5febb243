import { randomUUIDv7 } from 'node:crypto'
import type { Role } from '#domain/operator/permissions.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import {
  disableAccount,
  enableAccount,
  findAccount,
  findAccountByEmail,
  insertAccount,
  linkLifetimes,
  listAccounts,
  setAccountRole,
} from './accounts.ts'
import { type AuditEntry, type KeepChange, runWithAudit } from './audit.ts'
import { authorize, type OperatorContext } from './authorize.ts'
import { listCredentials, removeCredentials } from './credentials.ts'
import { insertOneTimeLink, type OneTimeLinkPurpose } from './one-time-links.ts'
import type { Actor, Operator } from './operator.ts'

/** `oneself`: operators can't change their own account, so that at least one admin remains. */
export type AccountChangeOutcome = 'changed' | 'unchanged' | 'unknown' | 'oneself'

export function listOperators({ db, clock }: OperatorContext, actor: Actor) {
  authorize(actor, 'see operators', clock())
  return listAccounts(db)
}

/** Adds an operator and makes an invitation. Resolves with undefined if the email address already has an account. */
export async function addOperator(
  context: OperatorContext,
  actor: Actor,
  email: string,
  role: Role,
): Promise<OperatorLink | undefined> {
  const { db, audit, clock } = context
  const now = clock()
  authorize(actor, 'manage operators', now)
  const id = randomUUIDv7()
  const address = toEmailAddress(email)
  const operator = { id, email: address, role, createdAt: now, disabledAt: null }
  const entry = { action: 'added an operator' as const, subject: id, reason: `as ${role}` }
  if ((await findAccountByEmail(db, address)) !== undefined) return undefined
  return runWithAudit(
    audit,
    { actor, at: now, ...entry },
    async () =>
      (await insertAccount(db, operator))
        ? insertOperatorLink(context, actor, operator, 'invitation')
        : undefined,
    (link) => (link === undefined ? 'not added: the address has an account' : 'added'),
  )
}

export const changeRole = (context: OperatorContext, actor: Actor, id: string, role: Role) =>
  changeAccount(
    context,
    actor,
    { subject: id, action: 'changed a role', reason: `to ${role}` },
    (operator) => operator.role !== role,
    (keep) => setAccountRole(context.db, id, role, context.clock(), keep),
  )

export const disableOperator = (context: OperatorContext, actor: Actor, id: string) =>
  changeAccount(
    context,
    actor,
    { subject: id, action: 'disabled an operator' },
    ({ disabledAt }) => disabledAt === null,
    (keep) => disableAccount(context.db, id, context.clock(), keep),
  )

export const enableOperator = (context: OperatorContext, actor: Actor, id: string) =>
  changeAccount(
    context,
    actor,
    { subject: id, action: 'enabled an operator' },
    ({ disabledAt }) => disabledAt !== null,
    (keep) => enableAccount(context.db, id, keep),
  )

/** Unlinks an operator from single sign-on. The next person who signs in with this email address is linked. */
export const unlinkOperator = (context: OperatorContext, actor: Actor, id: string) =>
  changeAccount(
    context,
    actor,
    { subject: id, action: 'unlinked single sign-on' },
    async () => (await listCredentials(context.db, id)).issuers.length > 0,
    async (keep) => {
      const { issuers } = await listCredentials(context.db, id)
      await keep({ before: { provider: issuers.join(', ') } })
      return removeCredentials(context.db, id, { kind: 'single sign-on' })
    },
  )

async function changeAccount(
  { db, audit, clock }: OperatorContext,
  actor: Actor,
  entry: AuditEntry & { readonly subject: string },
  isNeeded: (operator: Operator) => boolean | Promise<boolean>,
  act: (keep: KeepChange) => Promise<unknown>,
): Promise<AccountChangeOutcome> {
  authorize(actor, 'manage operators', clock())
  const operator = await findAccount(db, entry.subject)
  if (operator === undefined) return 'unknown'
  if (actor.kind === 'console' && actor.id === entry.subject) return 'oneself'
  if (!(await isNeeded(operator))) return 'unchanged'
  await runWithAudit(audit, { actor, at: clock(), ...entry }, act)
  return 'changed'
}

/** Makes an invitation or a sign-in link. Resolves with undefined if the operator is disabled or unknown. */
export async function makeOperatorLink(
  context: OperatorContext,
  actor: Actor,
  id: string,
  purpose: OneTimeLinkPurpose,
): Promise<OperatorLink | undefined> {
  const { db, audit, clock } = context
  const now = clock()
  authorize(actor, 'manage operators', now)
  const operator = await findAccount(db, id)
  if (operator?.disabledAt !== null) return undefined
  const action = purpose === 'invitation' ? 'made an invitation' : 'made a sign-in link'
  return runWithAudit(audit, { actor, at: now, action, subject: id }, () =>
    insertOperatorLink(context, actor, operator, purpose),
  )
}

export interface OperatorLink {
  readonly operator: Operator
  readonly code: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

async function insertOperatorLink(
  context: OperatorContext,
  by: Actor,
  operator: Operator,
  purpose: OneTimeLinkPurpose,
): Promise<OperatorLink> {
  const expiresAt = context.clock() + linkLifetimes[purpose]
  const link = { operatorId: operator.id, purpose, expiresAt, by }
  return { operator, code: await insertOneTimeLink(context.db, link), expiresAt }
}
