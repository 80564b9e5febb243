import type { SingleSignOnSettings } from '#server/config/settings.ts'
import { type AdmissionResult, admitIdentity } from './admit-identity.ts'
import { toIdentityCredential } from './credentials.ts'
import type { AuthorizationSecrets, OpenIdProvider } from './openid-provider.ts'
import type { RequestSource, SignInContext } from './operator.ts'
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
 * Begins an authorization. Resolves with the provider's address and the ticket that the browser keeps; undefined if the
 * provider can't be reached.
 */
export async function startAuthorization(
  context: SignInContext,
  { provider }: SingleSignOn,
  { browserSecret, purpose }: { browserSecret: string; purpose: AuthorizationPurpose },
): Promise<{ readonly address: string; readonly ticket: string } | undefined> {
  const ticket = `${purpose}.${context.clock()}.${makeSecret()}`
  const secrets = await deriveAuthorizationSecrets(context, ticket, browserSecret)
  const address = await provider.addressFor(secrets, { forcesLogin: purpose !== 'sign-in' })
  return address === undefined ? undefined : { address: address.href, ticket }
}

/** The provider's response, as the browser brings it to the callback, and the browser's cookies. */
export interface ProviderAnswer {
  readonly query: string
  readonly ticket: string
  readonly browserSecret: string
}

export type AuthorizationOutcome =
  /** The browser's new secret. */
  | { readonly kind: 'in'; readonly secret: string }
  | Exclude<AdmissionResult, { kind: 'admitted' }>
  /** The person had to authenticate again, but the provider doesn't confirm it. */
  | { readonly kind: 'not confirmed' }
  /** The browser never started the authorization, returned too late, or has already used the response. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'away' }

export async function finishAuthorization(
  context: SignInContext,
  { settings, provider }: SingleSignOn,
  { query, ticket, browserSecret }: ProviderAnswer,
  from: RequestSource,
): Promise<AuthorizationOutcome> {
  const [purpose, began] = ticket.split('.')
  const now = context.clock()
  const secrets = await deriveAuthorizationSecrets(context, ticket, browserSecret)
  const state = new URLSearchParams(query).get('state') ?? ''
  if (!areSecretsEqual(secrets.state, state) || now - Number(began) >= ticketLifetime) {
    return { kind: 'stale' }
  }
  const identified = await provider.identify(query, secrets)
  if (identified.kind !== 'known') return identified
  const { identity } = identified
  const authenticatedAt = Math.min(identity.authenticatedAt ?? 0, now)
  if (purpose === 'again' && authenticatedAt < Number(began) - clockTolerance) {
    return { kind: 'not confirmed' }
  }
  const admitted = await admitIdentity(context, settings, identity, from)
  if (admitted.kind !== 'admitted') return admitted
  const secret = await completeSignIn(context, {
    operator: admitted.operator,
    from,
    by: toIdentityCredential(identity),
    lastAuthenticatedAt: authenticatedAt,
  })
  return secret === undefined ? { kind: 'stale' } : { kind: 'in', secret }
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
  { sharedSecret }: SignInContext,
  ticket: string,
  browserSecret: string,
): Promise<AuthorizationSecrets> {
  const key = await sharedSecret('console sign-on')
  const derive = (name: string) => signText(key, `${name} ${ticket} ${browserSecret}`)
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}
