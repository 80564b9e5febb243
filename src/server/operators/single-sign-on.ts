import { randomUUIDv7 } from 'node:crypto'
import { findClaim, findRoleByClaim, type Role } from '#domain/operator/permissions.ts'
import type { SingleSignOnSettings } from '#server/config/settings.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import {
  endAllAccess,
  findAccount,
  findAccountByEmail,
  insertAccount,
  setAccountRole,
} from './accounts.ts'
import { runAuditedTransaction, runWithAudit } from './audit.ts'
import {
  addCredential,
  findCredential,
  listCredentials,
  recordCredentialUse,
  toIdentityCredential,
} from './credentials.ts'
import type {
  AuthorizationSecrets,
  OpenIdIdentity,
  OpenIdProvider,
  ProviderFault,
} from './openid-provider.ts'
import { type Operator, type RequestSource, toConsoleActor } from './operator.ts'
import type { OperatorContext, SignInContext } from './operator-context.ts'
import { areSecretsEqual, makeSecret, signText } from './secrets.ts'
import { completeSignIn } from './sign-in.ts'

export interface SingleSignOn {
  readonly settings: SingleSignOnSettings
  readonly provider: OpenIdProvider
}

/**
 * The purpose of an authorization: to sign in, to sign in with another account, or to authenticate again for an action
 * that needs a recent sign-in. Only `again` requires the provider to say when the person authenticated.
 */
export type AuthorizationPurpose = 'sign-in' | 'another' | 'again'

/**
 * Begins an authorization. Resolves with the URL of the provider's sign-in page and the ticket that the browser keeps, or
 * explains why the provider can't be used.
 */
export async function startAuthorization(
  context: SignInContext,
  { provider }: SingleSignOn,
  { browserSecret, purpose }: { browserSecret: string; purpose: AuthorizationPurpose },
): Promise<{ readonly address: string; readonly ticket: string } | ProviderFault> {
  const ticket = `${purpose}.${context.clock()}.${makeSecret()}`
  const secrets = await deriveAuthorizationSecrets(context, ticket, browserSecret)
  const url = await provider.makeAuthorizationUrl(secrets, { forcesLogin: purpose !== 'sign-in' })
  return 'kind' in url ? url : { address: url.href, ticket }
}

export type AuthorizationOutcome = Awaited<ReturnType<typeof finishAuthorization>>

/**
 * Finishes an authorization with the provider's response, as the browser brings it to the callback, and the browser's
 * cookies. Resolves with the browser's new secret if the person has signed in. The outcome is `stale` if the browser
 * never started the authorization, returned too late, or has already used the response.
 */
export async function finishAuthorization(
  context: SignInContext,
  { settings, provider }: SingleSignOn,
  { query, ticket, browserSecret }: { query: string; ticket: string; browserSecret: string },
  from: RequestSource,
) {
  const [purpose, startedAt] = ticket.split('.')
  const now = context.clock()
  const secrets = await deriveAuthorizationSecrets(context, ticket, browserSecret)
  const state = new URLSearchParams(query).get('state') ?? ''
  if (!areSecretsEqual(secrets.state, state) || now - Number(startedAt) >= ticketLifetime) {
    return { kind: 'stale' } as const
  }
  const identified = await provider.identify(query, secrets)
  if (identified.kind !== 'identified') return identified
  const { identity } = identified
  const authenticatedAt = Math.min(identity.authenticatedAt ?? 0, now)
  if (purpose === 'again' && authenticatedAt < Number(startedAt) - clockTolerance) {
    return { kind: 'not confirmed' } as const
  }
  const admission = await admitIdentity(context, settings, identity, from)
  if (admission.kind !== 'admitted') return admission
  const secret = await completeSignIn(context, {
    operator: admission.operator,
    from,
    by: toIdentityCredential(identity),
    lastAuthenticatedAt: authenticatedAt,
  })
  if (secret === undefined) return { kind: 'stale' } as const
  return { kind: 'signed in', secret } as const
}

/** How far the provider's clock may differ from ours, in milliseconds. */
const clockTolerance = 30_000

/** How long a ticket is valid, in milliseconds: people have to find their phone. */
const ticketLifetime = 10 * 60 * 1000

/**
 * Derives the secrets from the ticket, the browser's secret and the store's secret, so that any process can check them
 * without storing them, and no browser can forge a ticket. A sign-in gives the browser a new secret, so that a ticket
 * works only once.
 */
async function deriveAuthorizationSecrets(
  { readSharedSecret }: SignInContext,
  ticket: string,
  browserSecret: string,
): Promise<AuthorizationSecrets> {
  const key = await readSharedSecret('console sign-on')
  const derive = (name: string) => signText(key, `${name} ${ticket} ${browserSecret}`)
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/**
 * Finds or adds the operator for a person whom the single sign-on provider has identified. Issuer and subject identify
 * the person. The email address is used only at the first sign-in, and only if the provider has verified it; every
 * sign-in updates the role. The result is `no email` if the provider has not verified the email address at the first
 * sign-in, and `taken` if the operator with this email address is linked to another person at this provider.
 */
async function admitIdentity(
  context: OperatorContext,
  settings: SingleSignOnSettings,
  identity: OpenIdIdentity,
  { network }: RequestSource,
) {
  const { db, audit, clock } = context
  const refuse = async <Kind extends 'no role' | 'disabled'>(operator: Operator, kind: Kind) => {
    const entry = { action: 'was refused', reason: `${kind}, by single sign-on` } as const
    await audit.record(toConsoleActor(operator, network), entry, clock())
    return { kind }
  }

  const credential = toIdentityCredential(identity)
  const linked = await findCredential(db, credential)
  const role = findRole(identity, settings)
  let operator = linked && (await findAccount(db, linked.operatorId))
  if (linked === undefined) {
    if (role === undefined) return { kind: 'no role' } as const
    const email = findVerifiedEmail(identity, settings)
    if (email === undefined) return { kind: 'no email' } as const
    operator = await findAccountByEmail(db, email)
    if (operator === undefined) {
      const added = { id: randomUUIDv7(), email, role, createdAt: clock(), disabledAt: null }
      const reason = `as ${role}, by single sign-on`
      const actor = toConsoleActor(added, network)
      const entry = { actor, action: 'added an operator', subject: added.id, reason } as const
      await runWithAudit(context, entry, () => insertAccount(db, added))
      // A simultaneous sign-in may have added the operator already.
      operator = (await findAccountByEmail(db, email)) ?? added
    }
  }
  if (operator === undefined) return { kind: 'no role' } as const
  const { id } = operator
  const actor = toConsoleActor(operator, network)
  if (operator.disabledAt !== null) return refuse(operator, 'disabled')
  if (role === undefined) {
    await runInTransaction(db, (tx) => endAllAccess(tx, id, clock()))
    return refuse(operator, 'no role')
  }
  if (linked === undefined) {
    // Another id of the same provider may be another person, who took over the email address.
    const { issuers } = await listCredentials(db, id)
    if (issuers.includes(identity.issuer)) return { kind: 'taken' } as const
    const entry = { actor, action: 'linked single sign-on', subject: id } as const
    const isLinked = await runWithAudit(context, entry, async (at, keep) => {
      const fault = await addCredential(db, credential, { operatorId: id, at })
      if (fault === undefined) await keep({ after: { provider: identity.issuer } })
      return fault === undefined
    })
    if (!isLinked) return { kind: 'taken' } as const
  }
  await recordCredentialUse(db, credential, clock())
  if (operator.role !== role) {
    const reason = `to ${role}, by single sign-on`
    await runAuditedTransaction(
      context,
      { actor, action: 'changed a role', subject: id, reason },
      async (tx, at, keep) => {
        await keep({ before: { role: operator.role }, after: { role } })
        await setAccountRole(tx, id, role, at)
      },
      () => 'done',
    )
  }
  return { kind: 'admitted', operator: { ...operator, role } } as const
}

function findVerifiedEmail(
  { claims }: OpenIdIdentity,
  { verifiedClaim }: SingleSignOnSettings,
): string | undefined {
  const { email } = claims
  const verified = findClaim(claims, verifiedClaim)
  // Entra sends the number 1, and other providers send text, instead of true.
  const isVerified = verified === true || verified === 1 || verified === 'true' || verified === '1'
  return isVerified && typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email.trim())
    ? toEmailAddress(email)
    : undefined
}

/** Reads a person's role from the claims. A rule may name people by email address, if the provider has verified it. */
function findRole(identity: OpenIdIdentity, settings: SingleSignOnSettings): Role | undefined {
  const email = findVerifiedEmail(identity, settings)
  return findRoleByClaim({ ...identity.claims, email }, settings.roles)
}
