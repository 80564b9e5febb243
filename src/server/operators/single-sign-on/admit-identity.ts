import { randomUUIDv7 } from 'node:crypto'
import type { Role } from '#domain/operator/role.ts'
import { claimOf, type RoleRule, roleByClaim } from '#domain/operator/role-by-claim.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import { type AuditLog, audited } from '../audit/audit.ts'
import type { ConsoleActor, Operator } from '../operator.ts'
import type { OperatorAccounts } from '../operator-accounts.ts'
import type { Browser } from '../sessions/keep-sessions.ts'
import type { Identity } from './identity-provider.ts'
import type { OperatorIdentities } from './operator-identities.ts'

export interface AdmitPorts {
  readonly accounts: OperatorAccounts
  readonly identities: OperatorIdentities
  readonly audit: AuditLog
  readonly clock: () => number
  readonly roles: RoleRule
  /** The claim that says that the email is the person's own. */
  readonly verifiedClaim: string
}

export type Admitted =
  | { readonly kind: 'admitted'; readonly operator: Operator }
  | { readonly kind: 'no role' }
  | { readonly kind: 'disabled' }
  /** Nobody yet, and the provider does not vouch for an address of theirs. */
  | { readonly kind: 'no email' }
  /** The operator with their address is somebody else at this provider. */
  | { readonly kind: 'taken' }

/**
 * Finds the operator that somebody at the provider is, or makes one. Issuer and subject tell who it is; an address is believed
 * once, where the provider vouches for it, and what it tells the role each time.
 */
export const makeAdmitIdentity = (ports: AdmitPorts) => {
  const { accounts, identities, audit, clock, roles, verifiedClaim } = ports

  const emailOf = ({ claims }: Identity): string | undefined => {
    const { email } = claims
    const verified = claimOf(claims, verifiedClaim)
    // Entra says it as 1, others as a text.
    const isVerified =
      verified === true || verified === 1 || verified === 'true' || verified === '1'
    return isVerified && typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email.trim())
      ? emailAddress(email)
      : undefined
  }
  const roleOf = (identity: Identity): Role | undefined => {
    const { email: _, ...claims } = identity.claims
    const email = emailOf(identity)
    return roleByClaim(email === undefined ? claims : { ...claims, email }, roles)
  }
  const by = (operator: Operator, from: Browser): ConsoleActor => ({
    ...operator,
    kind: 'console',
    lastAuthenticatedAt: 0,
    network: from.network,
  })
  const refuse = async (operator: Operator, from: Browser, reason: 'no role' | 'disabled') => {
    const entry = { action: 'was refused', reason: `${reason}, by single sign-on` } as const
    await audit.record(by(operator, from), entry, clock())
    return { kind: reason }
  }
  const withRole = async (operator: Operator, role: Role, from: Browser): Promise<Admitted> => {
    if (operator.role === role) return { kind: 'admitted', operator }
    const reason = `to ${role}, by single sign-on`
    await audited(
      audit,
      {
        actor: by(operator, from),
        at: clock(),
        action: 'changed a role',
        subject: operator.id,
        reason,
      },
      () => accounts.setRole(operator.id, role, clock()),
      () => 'done',
    )
    return { kind: 'admitted', operator: { ...operator, role } }
  }
  const link = (operator: Operator, identity: Identity, from: Browser): Promise<boolean> =>
    audited(
      audit,
      {
        actor: by(operator, from),
        at: clock(),
        action: 'linked single sign-on',
        subject: operator.id,
      },
      () => identities.link(operator.id, identity, clock()),
      (isLinked) => (isLinked ? 'done' : 'it was linked already'),
    )
  const make = async (email: string, role: Role, from: Browser): Promise<Operator> => {
    const now = clock()
    const operator = { id: randomUUIDv7(), email, role, createdAt: now, disabledAt: null }
    const entry = { action: 'added an operator', subject: operator.id } as const
    await audited(
      audit,
      { actor: by(operator, from), at: now, ...entry, reason: `as ${role}, by single sign-on` },
      () => accounts.add(operator),
      (isAdded) => (isAdded ? 'added' : 'known'),
    )
    // Where another sign-in has made it meanwhile, it is that one.
    return (await accounts.findByEmail(email)) ?? operator
  }

  const admitKnown = async (id: string, identity: Identity, from: Browser): Promise<Admitted> => {
    const operator = await accounts.find(id)
    if (operator === undefined) return { kind: 'no role' }
    if (operator.disabledAt !== null) return refuse(operator, from, 'disabled')
    const role = roleOf(identity)
    if (role === undefined) {
      await accounts.withdrawRole(id, clock())
      return refuse(operator, from, 'no role')
    }
    await identities.used(identity, clock())
    return withRole(operator, role, from)
  }
  const admitNew = async (identity: Identity, from: Browser): Promise<Admitted> => {
    const role = roleOf(identity)
    if (role === undefined) return { kind: 'no role' }
    const email = emailOf(identity)
    if (email === undefined) return { kind: 'no email' }
    const known = await accounts.findByEmail(email)
    if (known !== undefined && known.disabledAt !== null) return refuse(known, from, 'disabled')
    const operator = known ?? (await make(email, role, from))
    // An address goes from one person to the next; who they are at the provider does not.
    if (await identities.isKnownAt(identity.issuer, operator.id)) return { kind: 'taken' }
    if (!(await link(operator, identity, from))) return { kind: 'taken' }
    return withRole(operator, role, from)
  }
  return async (identity: Identity, from: Browser): Promise<Admitted> => {
    const id = await identities.find(identity)
    return id === undefined ? admitNew(identity, from) : admitKnown(id, identity, from)
  }
}
