import { randomUUIDv7 } from 'node:crypto'
import type { Role } from '#domain/operator/role.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import {
  disableAccount,
  enableAccount,
  findAccount,
  findAccountByEmail,
  insertAccount,
  type ListedOperator,
  linkLifetimes,
  listAccounts,
  setAccountRole,
} from './accounts.ts'
import { type AuditEntry, audited } from './audit.ts'
import { authorise } from './authorise.ts'
import { removeCredentials } from './credentials.ts'
import { insertLink, type LinkPurpose } from './links.ts'
import type { Actor, Operator, OperatorContext } from './operator.ts'

/** A new link's code, and when it expires in epoch milliseconds. */
interface MadeLink {
  readonly code: string
  readonly expiresAt: number
}

export type AddOutcome =
  | ({ readonly kind: 'added'; readonly operator: Operator } & MadeLink)
  | { readonly kind: 'known' }

export type ChangeOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unknown' }
  /** Operators can't change their own account, so at least one admin remains. */
  | { readonly kind: 'oneself' }

export type LinkOutcome =
  | ({ readonly kind: 'made'; readonly email: string } & MadeLink)
  | { readonly kind: 'unknown' }
  | { readonly kind: 'disabled' }

export async function listOperators(
  { db, clock }: OperatorContext,
  actor: Actor,
): Promise<readonly ListedOperator[]> {
  authorise(actor, 'see operators', clock())
  return listAccounts(db)
}

export async function addOperator(
  context: OperatorContext,
  actor: Actor,
  email: string,
  role: Role,
): Promise<AddOutcome> {
  const { db, audit, clock } = context
  const now = clock()
  authorise(actor, 'change operators', now)
  const id = randomUUIDv7()
  const address = emailAddress(email)
  const operator = { id, email: address, role, createdAt: now, disabledAt: null }
  const entry = { action: 'added an operator' as const, subject: id, reason: `as ${role}` }
  if ((await findAccountByEmail(db, address)) !== undefined) return { kind: 'known' }
  return audited(
    audit,
    { actor, at: now, ...entry },
    async (): Promise<AddOutcome> => {
      if (!(await insertAccount(db, operator))) return { kind: 'known' }
      return { kind: 'added', operator, ...(await makeLink(context, actor, id, 'invitation')) }
    },
    ({ kind }) => kind,
  )
}

export const changeRole = (context: OperatorContext, actor: Actor, id: string, role: Role) =>
  change(context, actor, { subject: id, action: 'changed a role', reason: `to ${role}` }, () =>
    setAccountRole(context.db, id, role, context.clock()),
  )

export const disableOperator = (context: OperatorContext, actor: Actor, id: string) =>
  change(context, actor, { subject: id, action: 'disabled an operator' }, () =>
    disableAccount(context.db, id, context.clock()),
  )

export const enableOperator = (context: OperatorContext, actor: Actor, id: string) =>
  change(context, actor, { subject: id, action: 'enabled an operator' }, () =>
    enableAccount(context.db, id),
  )

/**
 * Unlinks an operator from single sign-on. The next person who signs in with the operator's address is linked: see
 * single-sign-on.ts.
 */
export const unlinkOperator = (context: OperatorContext, actor: Actor, id: string) =>
  change(context, actor, { subject: id, action: 'unlinked single sign-on' }, async () => {
    await removeCredentials(context.db, id, { kind: 'single sign-on' })
  })

async function change(
  { db, audit, clock }: OperatorContext,
  actor: Actor,
  entry: AuditEntry & { readonly subject: string },
  act: () => Promise<void>,
): Promise<ChangeOutcome> {
  authorise(actor, 'change operators', clock())
  if ((await findAccount(db, entry.subject)) === undefined) return { kind: 'unknown' }
  if (actor.kind === 'console' && actor.id === entry.subject) return { kind: 'oneself' }
  await audited(audit, { actor, at: clock(), ...entry }, act)
  return { kind: 'changed' }
}

/** Makes an invitation or a sign-in link for an operator; the earlier link ends. */
export async function makeOperatorLink(
  context: OperatorContext,
  actor: Actor,
  id: string,
  purpose: LinkPurpose,
): Promise<LinkOutcome> {
  const { db, audit, clock } = context
  const now = clock()
  authorise(actor, 'change operators', now)
  const operator = await findAccount(db, id)
  if (operator === undefined) return { kind: 'unknown' }
  if (operator.disabledAt !== null) return { kind: 'disabled' }
  const action = purpose === 'invitation' ? 'made an invitation' : 'made a sign-in link'
  return audited(audit, { actor, at: now, action, subject: id }, async () => ({
    kind: 'made' as const,
    email: operator.email,
    ...(await makeLink(context, actor, id, purpose)),
  }))
}

async function makeLink(
  context: OperatorContext,
  by: Actor,
  operatorId: string,
  purpose: LinkPurpose,
): Promise<MadeLink> {
  const expiresAt = context.clock() + linkLifetimes[purpose]
  return { code: await insertLink(context, { operatorId, purpose, expiresAt, by }), expiresAt }
}
