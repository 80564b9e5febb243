import type { SingleSignOnSettings } from '#server/config/settings.ts'
import { type Admitted, admitIdentity } from './admit-identity.ts'
import { findCredential, identityCredential } from './credentials.ts'
import type { AuthorizationSecrets, Identity, OpenIdProvider } from './openid-provider.ts'
import { type Browser, consoleActor, type SignInContext } from './operator.ts'
import { isSameSecret, newSecret, sign } from './secrets.ts'
import type { OpenSession } from './sessions.ts'
import { completeConfirmation, completeSignIn } from './sign-in.ts'

export interface SingleSignOn {
  readonly settings: SingleSignOnSettings
  readonly provider: OpenIdProvider
}

/** Why a browser goes to the provider: to sign in, or to confirm the operator's identity. */
export type AuthorizationPurpose = 'sign-in' | 'confirm'

/**
 * Begins an authorization. Resolves with the provider's address and the ticket that the browser keeps; undefined if the
 * provider can't be reached.
 */
export async function startAuthorization(
  context: SignInContext,
  { provider }: SingleSignOn,
  {
    purpose,
    browserSecret,
    forcesLogin,
  }: { purpose: AuthorizationPurpose; browserSecret: string; forcesLogin: boolean },
): Promise<{ readonly address: string; readonly ticket: string } | undefined> {
  const ticket = `${purpose}.${context.clock()}.${newSecret()}`
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
  readonly session: OpenSession | undefined
}

export type AuthorizationOutcome =
  /** The browser's new secret. */
  | { readonly kind: 'in'; readonly secret: string }
  | { readonly kind: 'confirmed' }
  | Exclude<Admitted, { kind: 'admitted' }>
  /** For a confirmation: another person signed in, or the provider doesn't say that the operator did so just now. */
  | { readonly kind: 'not confirmed' }
  /** The browser was not sent to the provider, came back too late, or used the response already. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'away' }

/** Checks the provider's response, and signs the operator in or confirms their identity. */
export async function finishAuthorization(
  context: SignInContext,
  singleSignOn: SingleSignOn,
  { query, ticket, browserSecret, session }: ProviderAnswer,
  from: Browser,
): Promise<AuthorizationOutcome> {
  const state = new URLSearchParams(query).get('state') ?? ''
  const authorization = await findAuthorization(context, { ticket, browserSecret, state })
  if (authorization === undefined) return { kind: 'stale' }
  const identified = await singleSignOn.provider.identify(query, authorization.secrets)
  if (identified.kind !== 'known') return identified
  const { identity } = identified
  return authorization.purpose === 'confirm'
    ? confirm(
        context,
        { identity, ...(session && { session }), beganAt: authorization.beganAt },
        from,
      )
    : signIn(context, singleSignOn, identity, from)
}

async function signIn(
  context: SignInContext,
  { settings }: SingleSignOn,
  identity: Identity,
  from: Browser,
): Promise<AuthorizationOutcome> {
  const admitted = await admitIdentity(context, settings, identity, from)
  if (admitted.kind !== 'admitted') return admitted
  const secret = await completeSignIn(context, {
    operator: admitted.operator,
    from,
    by: identityCredential(identity),
    // The person may have authenticated at the provider long ago.
    lastAuthenticatedAt: Math.min(identity.authenticatedAt ?? 0, context.clock()),
  })
  return secret === undefined ? { kind: 'stale' } : { kind: 'in', secret }
}

/** How far the provider's clock may differ from ours, in milliseconds. */
const clockTolerance = 30_000

async function confirm(
  context: SignInContext,
  { identity, session, beganAt }: { identity: Identity; session?: OpenSession; beganAt: number },
  from: Browser,
): Promise<AuthorizationOutcome> {
  const owner = (await findCredential(context.db, identityCredential(identity)))?.operatorId
  const isNew = (identity.authenticatedAt ?? 0) >= beganAt - clockTolerance
  if (session === undefined || owner !== session.operator.id || !isNew) {
    return { kind: 'not confirmed' }
  }
  const actor = consoleActor(session.operator, from.network, session.lastAuthenticatedAt)
  await completeConfirmation(context, { actor, sessionId: session.id })
  return { kind: 'confirmed' }
}

/** How long a ticket is valid, in milliseconds, because people look for their phone. */
export const ticketLifetime = 10 * 60 * 1000

/** Reads the purpose of a ticket, which only chooses the page to return to. */
export const purposeOf = (ticket: string): AuthorizationPurpose =>
  ticket.startsWith('confirm.') ? 'confirm' : 'sign-in'

async function findAuthorization(
  context: SignInContext,
  { ticket, browserSecret, state }: { ticket: string; browserSecret: string; state: string },
) {
  const [purpose = '', began = ''] = ticket.split('.')
  const beganAt = Number(began)
  const isRecent = context.clock() - beganAt < ticketLifetime
  if ((purpose !== 'sign-in' && purpose !== 'confirm') || !isRecent) return undefined
  const secrets = await authorizationSecrets(context, ticket, browserSecret)
  return isSameSecret(secrets.state, state) ? { purpose, beganAt, secrets } : undefined
}

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
