import { randomUUIDv7 } from 'node:crypto'
import type { Role } from '#domain/operator/role.ts'
import { findClaim, findRoleByClaim, type RoleRule } from '#domain/operator/role-by-claim.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import {
  endAccountAccess,
  findAccount,
  findAccountByEmail,
  insertAccount,
  setAccountRole,
} from './accounts.ts'
import { type AuditEntry, runWithAudit } from './audit.ts'
import {
  addCredential,
  findCredential,
  listCredentials,
  recordCredentialUse,
  toIdentityCredential,
} from './credentials.ts'
import type { Identity } from './openid-provider.ts'
import {
  type Operator,
  type OperatorContext,
  type RequestSource,
  toConsoleActor,
} from './operator.ts'

/** The rules that turn a provider's claims into an operator. */
export interface AdmissionRules {
  readonly roles: RoleRule
  /** The claim that says whether the email address is verified. */
  readonly verifiedClaim: string
}

export type AdmissionResult =
  | { readonly kind: 'admitted'; readonly operator: Operator }
  | { readonly kind: 'no role' }
  | { readonly kind: 'disabled' }
  /** At a first sign-in, the provider has not verified the email address. */
  | { readonly kind: 'no email' }
  /** The operator with this email address is linked to another person at this provider. */
  | { readonly kind: 'taken' }

/**
 * Finds or adds the operator for a person at the single sign-on provider. Issuer and subject identify the person. The
 * email address is used only at the first sign-in and only if verified; the role is updated at every sign-in.
 */
export async function admitIdentity(
  { db, audit, clock }: OperatorContext,
  rules: AdmissionRules,
  identity: Identity,
  { network }: RequestSource,
): Promise<AdmissionResult> {
  const record = (
    operator: Operator,
    entry: AuditEntry,
    act: () => Promise<boolean>,
  ): Promise<boolean> =>
    runWithAudit(
      audit,
      { actor: toConsoleActor(operator, network), at: clock(), ...entry },
      act,
      (isDone) => (isDone ? 'done' : 'nothing was changed'),
    )
  const refuse = async (
    operator: Operator,
    kind: 'no role' | 'disabled',
  ): Promise<AdmissionResult> => {
    const entry = { action: 'was refused', reason: `${kind}, by single sign-on` } as const
    await audit.record(toConsoleActor(operator, network), entry, clock())
    return { kind }
  }

  const credential = toIdentityCredential(identity)
  const linked = await findCredential(db, credential)
  const role = findRole(identity, rules)
  let operator = linked && (await findAccount(db, linked.operatorId))
  if (linked === undefined) {
    if (role === undefined) return { kind: 'no role' }
    const email = findVerifiedEmail(identity, rules)
    if (email === undefined) return { kind: 'no email' }
    operator = await findAccountByEmail(db, email)
    if (operator === undefined) {
      const added = { id: randomUUIDv7(), email, role, createdAt: clock(), disabledAt: null }
      const reason = `as ${role}, by single sign-on`
      const entry = { action: 'added an operator', subject: added.id, reason } as const
      await record(added, entry, () => insertAccount(db, added))
      // A simultaneous sign-in may have added the operator already.
      operator = (await findAccountByEmail(db, email)) ?? added
    }
  }
  if (operator === undefined) return { kind: 'no role' }
  const { id } = operator
  if (operator.disabledAt !== null) return refuse(operator, 'disabled')
  if (role === undefined) {
    await endAccountAccess(db, id, clock())
    return refuse(operator, 'no role')
  }
  if (linked === undefined) {
    // An email address can move to another person, but the provider never gives a person's id to another person.
    const { issuers } = await listCredentials(db, id)
    if (issuers.includes(identity.issuer)) return { kind: 'taken' }
    const entry = { action: 'linked single sign-on', subject: id } as const
    const added = { operatorId: id, at: clock() }
    const isLinked = await record(
      operator,
      entry,
      async () => (await addCredential(db, credential, added)) === undefined,
    )
    if (!isLinked) return { kind: 'taken' }
  }
  await recordCredentialUse(db, credential, clock())
  if (operator.role !== role) {
    const entry = { action: 'changed a role', subject: id, reason: `to ${role}, by single sign-on` }
    await record(operator, entry as AuditEntry, async () => {
      await setAccountRole(db, id, role, clock())
      return true
    })
  }
  return { kind: 'admitted', operator: { ...operator, role } }
}

function findVerifiedEmail(
  { claims }: Identity,
  { verifiedClaim }: AdmissionRules,
): string | undefined {
  const { email } = claims
  const verified = findClaim(claims, verifiedClaim)
  // Entra sends the number 1, other providers send text.
  const isVerified = verified === true || verified === 1 || verified === 'true' || verified === '1'
  return isVerified && typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email.trim())
    ? toEmailAddress(email)
    : undefined
}

/** Reads a person's role from the claims. A rule may name people by email address, if the provider has verified it. */
function findRole(identity: Identity, rules: AdmissionRules): Role | undefined {
  const { email: _, ...claims } = identity.claims
  const email = findVerifiedEmail(identity, rules)
  return findRoleByClaim(email === undefined ? claims : { ...claims, email }, rules.roles)
}
