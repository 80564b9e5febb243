import { randomUUIDv7 } from 'node:crypto'
import type { Role } from '#domain/operator/role.ts'
import { claimOf, type RoleRule, roleByClaim } from '#domain/operator/role-by-claim.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import {
  endAccountAccess,
  findAccount,
  findAccountByEmail,
  insertAccount,
  setAccountRole,
} from './accounts.ts'
import { type AuditEntry, audited } from './audit.ts'
import { findIdentity, hasIdentityAt, linkIdentity, recordIdentityUse } from './credentials.ts'
import type { Identity } from './openid-provider.ts'
import type { Browser, ConsoleActor, Operator, OperatorContext } from './operator.ts'

/** How a provider's claims become an operator. */
export interface AdmissionRules {
  readonly roles: RoleRule
  /** The claim that says that the email address is the person's own. */
  readonly verifiedClaim: string
}

export type Admitted =
  | { readonly kind: 'admitted'; readonly operator: Operator }
  | { readonly kind: 'no role' }
  | { readonly kind: 'disabled' }
  /** Their first sign-in, and the provider does not vouch for their address. */
  | { readonly kind: 'no email' }
  /** The operator with their address is linked to another person at this provider. */
  | { readonly kind: 'taken' }

/**
 * Finds the operator that a person at the provider is, or adds one. Issuer and subject identify the person. The address is
 * believed once, at the first sign-in and only if verified; the role is read at every sign-in.
 */
export async function admitIdentity(
  context: OperatorContext,
  rules: AdmissionRules,
  identity: Identity,
  from: Browser,
): Promise<Admitted> {
  const id = await findIdentity(context.db, identity)
  return id === undefined
    ? admitNew(context, rules, identity, from)
    : admitKnown(context, { id, identity, role: roleOf(identity, rules) }, from)
}

async function admitKnown(
  context: OperatorContext,
  { id, identity, role }: { id: string; identity: Identity; role: Role | undefined },
  from: Browser,
): Promise<Admitted> {
  const { db, clock } = context
  const operator = await findAccount(db, id)
  if (operator === undefined) return { kind: 'no role' }
  if (operator.disabledAt !== null) return refuse(context, operator, from, 'disabled')
  if (role === undefined) {
    await endAccountAccess(db, id, clock())
    return refuse(context, operator, from, 'no role')
  }
  await recordIdentityUse(db, identity, clock())
  return withRole(context, operator, role, from)
}

async function admitNew(
  context: OperatorContext,
  rules: AdmissionRules,
  identity: Identity,
  from: Browser,
): Promise<Admitted> {
  const { db, clock } = context
  const role = roleOf(identity, rules)
  if (role === undefined) return { kind: 'no role' }
  const email = verifiedEmail(identity, rules)
  if (email === undefined) return { kind: 'no email' }
  const known = await findAccountByEmail(db, email)
  if (known !== undefined && known.disabledAt !== null) {
    return refuse(context, known, from, 'disabled')
  }
  const operator = known ?? (await addOperator(context, email, role, from))
  // An address can pass from one person to the next; the provider's id of a person can't.
  if (await hasIdentityAt(db, identity.issuer, operator.id)) return { kind: 'taken' }
  const entry = { action: 'linked single sign-on', subject: operator.id } as const
  const isLinked = await recorded(
    context,
    operator,
    from,
    entry,
    () => linkIdentity(db, operator.id, identity, clock()),
    (isLinked) => (isLinked ? 'done' : 'it was linked already'),
  )
  return isLinked ? withRole(context, operator, role, from) : { kind: 'taken' }
}

async function addOperator(
  context: OperatorContext,
  email: string,
  role: Role,
  from: Browser,
): Promise<Operator> {
  const { db, clock } = context
  const operator = { id: randomUUIDv7(), email, role, createdAt: clock(), disabledAt: null }
  const reason = `as ${role}, by single sign-on`
  await recorded(
    context,
    operator,
    from,
    { action: 'added an operator', subject: operator.id, reason },
    () => insertAccount(db, operator),
    (isAdded) => (isAdded ? 'added' : 'known'),
  )
  // Another sign-in may have added the operator at the same time.
  return (await findAccountByEmail(db, email)) ?? operator
}

async function withRole(
  context: OperatorContext,
  operator: Operator,
  role: Role,
  from: Browser,
): Promise<Admitted> {
  if (operator.role === role) return { kind: 'admitted', operator }
  const { db, clock } = context
  const reason = `to ${role}, by single sign-on`
  await recorded(
    context,
    operator,
    from,
    { action: 'changed a role', subject: operator.id, reason },
    () => setAccountRole(db, operator.id, role, clock()),
    () => 'done',
  )
  return { kind: 'admitted', operator: { ...operator, role } }
}

async function refuse(
  { audit, clock }: OperatorContext,
  operator: Operator,
  from: Browser,
  kind: 'no role' | 'disabled',
): Promise<Admitted> {
  const entry = { action: 'was refused', reason: `${kind}, by single sign-on` } as const
  await audit.record(actorFor(operator, from), entry, clock())
  return { kind }
}

const recorded = <Result>(
  { audit, clock }: OperatorContext,
  operator: Operator,
  from: Browser,
  entry: AuditEntry,
  act: () => Promise<Result>,
  inWords: (result: Result) => string,
): Promise<Result> =>
  audited(audit, { actor: actorFor(operator, from), at: clock(), ...entry }, act, inWords)

const actorFor = (operator: Operator, { network }: Browser): ConsoleActor => ({
  ...operator,
  kind: 'console',
  lastAuthenticatedAt: 0,
  network,
})

function verifiedEmail(
  { claims }: Identity,
  { verifiedClaim }: AdmissionRules,
): string | undefined {
  const { email } = claims
  const verified = claimOf(claims, verifiedClaim)
  // Entra sends 1, and others a text.
  const isVerified = verified === true || verified === 1 || verified === 'true' || verified === '1'
  return isVerified && typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email.trim())
    ? emailAddress(email)
    : undefined
}

/** A rule may name people by their address, which counts only if it is verified. */
function roleOf(identity: Identity, rules: AdmissionRules): Role | undefined {
  const { email: _, ...claims } = identity.claims
  const email = verifiedEmail(identity, rules)
  return roleByClaim(email === undefined ? claims : { ...claims, email }, rules.roles)
}
