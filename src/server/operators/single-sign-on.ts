import type { SingleSignOnSettings } from '#server/config/settings.ts'
import { findAccount, findAccountByEmail } from './accounts.ts'
import { audited } from './audit.ts'
import {
  addCredential,
  findCredential,
  identityCredential,
  listCredentials,
  recordCredentialUse,
} from './credentials.ts'
import type { AuthorizationSecrets, Identity, OpenIdProvider } from './openid-provider.ts'
import {
  type Browser,
  consoleActor,
  type Operator,
  type OperatorContext,
  type SignInContext,
} from './operator.ts'
import { isSameSecret, newSecret, sign } from './secrets.ts'
import { completeSignIn } from './sign-in.ts'

export interface SingleSignOn {
  readonly settings: SingleSignOnSettings
  readonly provider: OpenIdProvider
}

/**
 * Begins an authorization. Resolves with the provider's address and the ticket that the browser keeps; undefined if the
 * provider can't be reached.
 * @param forcesLogin the person has to authenticate at the provider now, for an action that needs a recent sign-in
 */
export async function startAuthorization(
  context: SignInContext,
  { provider }: SingleSignOn,
  { browserSecret, forcesLogin }: { browserSecret: string; forcesLogin: boolean },
): Promise<{ readonly address: string; readonly ticket: string } | undefined> {
  const ticket = `${forcesLogin ? 'again' : 'sign-in'}.${context.clock()}.${newSecret()}`
  const secrets = await authorizationSecrets(context, ticket, browserSecret)
  const address = await provider.addressFor(secrets, { forcesLogin })
  return address === undefined ? undefined : { address: address.href, ticket }
}

/** What the browser brings back from the provider. */
export interface ProviderAnswer {
  /** The query of the callback's address. */
  readonly query: string
  readonly ticket: string
  readonly browserSecret: string
}

export type AuthorizationOutcome =
  /** The browser's new secret. */
  | { readonly kind: 'in'; readonly secret: string }
  | Exclude<Admitted, { kind: 'admitted' }>
  /** The person had to authenticate again, and the provider doesn't say that they did. */
  | { readonly kind: 'not confirmed' }
  /** The browser was not sent to the provider, came back too late, or used the response already. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'away' }

/** Checks the provider's response, and signs the operator in. */
export async function finishAuthorization(
  context: SignInContext,
  { provider }: SingleSignOn,
  { query, ticket, browserSecret }: ProviderAnswer,
  from: Browser,
): Promise<AuthorizationOutcome> {
  const [purpose, began] = ticket.split('.')
  const now = context.clock()
  const secrets = await authorizationSecrets(context, ticket, browserSecret)
  const state = new URLSearchParams(query).get('state') ?? ''
  if (!isSameSecret(secrets.state, state) || now - Number(began) >= ticketLifetime) {
    return { kind: 'stale' }
  }
  const identified = await provider.identify(query, secrets)
  if (identified.kind !== 'known') return identified
  const { identity } = identified
  const authenticatedAt = Math.min(identity.authenticatedAt ?? 0, now)
  if (purpose === 'again' && authenticatedAt < Number(began) - clockTolerance) {
    return { kind: 'not confirmed' }
  }
  const admitted = await admitIdentity(context, identity, from)
  if (admitted.kind !== 'admitted') return admitted
  const secret = await completeSignIn(context, {
    operator: admitted.operator,
    from,
    by: identityCredential(identity),
    lastAuthenticatedAt: authenticatedAt,
  })
  return secret === undefined ? { kind: 'stale' } : { kind: 'in', secret }
}

type Admitted =
  | { readonly kind: 'admitted'; readonly operator: Operator }
  /** Nobody has added an operator with this email address. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'disabled' }
  /** A first sign-in for which the provider does not verify the email address. */
  | { readonly kind: 'no email' }
  /** The operator with this email address is linked to another person at this provider. */
  | { readonly kind: 'taken' }

/**
 * Finds the operator for a person at the provider. Issuer and subject identify the person. The email address counts
 * only at the first sign-in and only if verified.
 */
async function admitIdentity(
  { db, audit, clock }: OperatorContext,
  identity: Identity,
  { network }: Browser,
): Promise<Admitted> {
  const credential = identityCredential(identity)
  const linked = await findCredential(db, credential)
  if (linked === undefined && identity.email === undefined) return { kind: 'no email' }
  const operator =
    linked === undefined
      ? await findAccountByEmail(db, identity.email ?? '')
      : await findAccount(db, linked.operatorId)
  if (operator === undefined) return { kind: 'unknown' }
  const { id } = operator
  const actor = consoleActor(operator, network)
  if (operator.disabledAt !== null) {
    const entry = { action: 'was refused', reason: 'disabled, by single sign-on' } as const
    await audit.record(actor, entry, clock())
    return { kind: 'disabled' }
  }
  if (linked === undefined) {
    // An email address can pass to another person, but the provider's id of a person can't.
    const { issuers } = await listCredentials(db, id)
    if (issuers.includes(identity.issuer)) return { kind: 'taken' }
    const fault = await audited(
      audit,
      { actor, at: clock(), action: 'linked single sign-on', subject: id },
      () => addCredential(db, credential, { operatorId: id, at: clock() }),
      (refusal) => (refusal === undefined ? 'done' : 'nothing was changed'),
    )
    if (fault !== undefined) return { kind: 'taken' }
  }
  await recordCredentialUse(db, credential, clock())
  return { kind: 'admitted', operator }
}

/** How far the provider's clock may differ from ours, in milliseconds. */
const clockTolerance = 30_000

/** How long a ticket is valid, in milliseconds, because people look for their phone. */
const ticketLifetime = 10 * 60 * 1000

/**
 * Derives the secrets from the ticket, the browser's secret and the store's secret: any process recognizes them,
 * nothing is stored, and no browser can forge a ticket. Signing in gives the browser another secret, so a ticket can't
 * be used again.
 */
async function authorizationSecrets(
  { sharedSecret }: SignInContext,
  ticket: string,
  browserSecret: string,
): Promise<AuthorizationSecrets> {
  const key = await sharedSecret('console sign-on')
  const derive = (name: string) => sign(key, `${name} ${ticket} ${browserSecret}`)
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}
