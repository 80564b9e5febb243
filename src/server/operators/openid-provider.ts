import type { Logger } from 'pino'
import { findClaim } from '#domain/operator/permissions.ts'
import type { SingleSignOnSettings } from '#server/config/settings.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import type { ProviderIdentity } from './credentials.ts'

type Configuration = import('openid-client').Configuration
type Properties = Readonly<Record<string, unknown>>

/** A person as the provider describes them. Only issuer and subject identify the person. */
export interface OpenIdIdentity extends ProviderIdentity {
  readonly claims: Properties
  /** When the person last signed in at the provider, in epoch milliseconds; undefined if the provider doesn't say. */
  readonly authenticatedAt: number | undefined
}

/** Secrets that bind the provider's response to the browser that was redirected to the provider. */
export interface AuthorizationSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export type ProviderFault =
  | { readonly kind: 'unreachable' }
  /** The provider names itself differently than CONSOLE_OIDC_ISSUER does, often by a slash at the end. */
  | { readonly kind: 'other issuer'; readonly issuer: string }

export type OpenIdProvider = ReturnType<typeof makeOpenIdProvider>

/**
 * Makes the client of an OpenID Connect provider for the code flow with PKCE, state and nonce. The library checks
 * signature, issuer, audience and times, and refreshes the provider's keys.
 * @param redirectUri the URL that the provider redirects to, known once the console listens
 */
export function makeOpenIdProvider(
  settings: SingleSignOnSettings,
  redirectUri: () => string,
  { log, clock }: { readonly log: Logger; readonly clock: () => number },
) {
  const failureLog = makeFailureLog(log, {
    begins: 'single sign-on: the provider cannot be used; passkeys and passwords can',
    ends: 'single sign-on: the provider can be used again',
  })
  /** The provider's configuration, which is read on first use, so that a slow provider doesn't delay the start. */
  let discovered: Promise<Configuration> | undefined
  let skew = 0
  const configuration = async (): Promise<Configuration | ProviderFault> => {
    // The library compares a token's times with the machine's clock, which may be wrong, or be set while we run.
    const seconds = Math.round((clock() - Date.now()) / 1000)
    if (Math.abs(seconds - skew) > maxSkewChange) [discovered, skew] = [undefined, seconds]
    discovered ??= discoverProvider(settings, skew)
    try {
      const config = await discovered
      failureLog.succeeded()
      return config
    } catch (error) {
      discovered = undefined
      failureLog.failed(undefined, { issuer: settings.issuer, why: explainProviderFault(error) })
      const issuer = findOwnIssuer(error)
      return issuer === undefined ? { kind: 'unreachable' } : { kind: 'other issuer', issuer }
    }
  }
  /** Requests missing claims from the UserInfo endpoint, because some providers leave claims out of the token. */
  const requestMissingClaims = async (
    config: Configuration,
    accessToken: string,
    claims: Properties & { readonly sub: string },
  ): Promise<Properties> => {
    const wanted = [settings.roles.claim, 'email', settings.verifiedClaim]
    const isComplete = wanted.every((name) => findClaim(claims, name) !== undefined)
    if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return {}
    const { fetchUserInfo } = await import('openid-client')
    return fetchUserInfo(config, accessToken, claims.sub).catch((error: unknown) => {
      if (isUnreachable(error)) throw error
      log.warn(
        { why: findOpenIdErrorCode(error) },
        'single sign-on: the UserInfo endpoint returned no claims',
      )
      return {}
    })
  }
  const exchangeCode = async (
    config: Configuration,
    query: string,
    { state, nonce, verifier }: AuthorizationSecrets,
  ) => {
    const { authorizationCodeGrant } = await import('openid-client')
    const address = new URL(redirectUri())
    address.search = query
    const tokens = await authorizationCodeGrant(config, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) return { kind: 'refused', code: 'no identity' } as const
    const { sub: subject, auth_time: time } = claims
    const all = { ...(await requestMissingClaims(config, tokens.access_token, claims)), ...claims }
    const authenticatedAt = typeof time === 'number' ? time * 1000 : undefined
    const identity = { issuer: settings.issuer, subject, claims: all, authenticatedAt }
    return { kind: 'identified', identity } as const
  }
  return {
    /**
     * Makes the URL of the provider's sign-in page, or explains why the provider can't be used.
     * @param forcesLogin if true, the person has to authenticate even if the provider has a session for them
     */
    makeAuthorizationUrl: async (
      { state, nonce, verifier }: AuthorizationSecrets,
      { forcesLogin }: { readonly forcesLogin: boolean },
    ): Promise<URL | ProviderFault> => {
      const config = await configuration()
      if ('kind' in config) return config
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      return buildAuthorizationUrl(config, {
        redirect_uri: redirectUri(),
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(forcesLogin ? { prompt: 'login', max_age: '0' } : {}),
      })
    },
    /**
     * Identifies the person; `refused` if the provider did not sign the person in, or its response is invalid.
     * @param query the query of the URL that the provider redirected the browser to
     */
    identify: async (query: string, secrets: AuthorizationSecrets) => {
      const config = await configuration()
      if ('kind' in config) return config
      try {
        return await exchangeCode(config, query, secrets)
      } catch (error) {
        const code = findOpenIdErrorCode(error)
        log.warn({ why: code }, 'single sign-on: a sign-in was refused')
        if (isUnreachable(error)) return { kind: 'unreachable' } as const
        return { kind: 'refused', code } as const
      }
    },
  }
}

/** The library itself tolerates 30 s, so smaller changes of the skew need no new configuration, in seconds. */
const maxSkewChange = 5

/** The timeout of each request to the provider, in seconds: short, because a person waits. */
const timeout = 5

/**
 * Reads the provider's discovery document without signing anybody in.
 * @param skew the seconds to add to the machine's clock
 * @throws if the provider can't be reached or its document isn't valid: see {@link explainProviderFault}
 */
export async function discoverProvider(
  settings: SingleSignOnSettings,
  skew = 0,
): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings
  const client = await import('openid-client')
  const server = new URL(issuer)
  const config = await client.discovery(
    server,
    clientId,
    { [client.clockSkew]: skew },
    authenticateWith(client, clientSecret),
    {
      timeout,
      // The library checks the token's signature even though the TLS connection already proves its origin.
      execute: [
        client.enableNonRepudiationChecks,
        ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  )
  const body = config.serverMetadata()
  if (new URL(body.issuer).href !== server.href)
    throw new SharedIssuerError('', { cause: { attribute: 'issuer', body } })
  return config
}

/** Sends the client secret in a header by default (OpenID Connect Discovery 1.0, section 3), or in the body. */
const authenticateWith =
  ({ ClientSecretBasic, ClientSecretPost }: typeof import('openid-client'), secret: string) =>
  (...[server, client, body, headers]: Parameters<import('openid-client').ClientAuth>): void => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic')
      ? ClientSecretBasic(secret)
      : ClientSecretPost(secret)
    authenticate(server, client, body, headers)
  }

/**
 * Thrown for an issuer that many companies share, such as Entra’s `common`, because any of them could grant roles, and for
 * a second name of the issuer. The library accepts both.
 */
class SharedIssuerError extends Error {
  override readonly name = 'SharedIssuerError'
}

const listCauses = (error: unknown): readonly Properties[] =>
  typeof error === 'object' && error !== null
    ? [error as Properties, ...listCauses((error as Properties).cause)]
    : []

/** Returns the protocol's or library's error code, not the message, which could contain personal data or a secret. */
function findOpenIdErrorCode(error: unknown): string {
  const causes = listCauses(error)
  const codes = [causes[0]?.error, ...causes.map(({ code }) => code).toReversed()]
  const known = codes.find((code) => typeof code === 'string' && /^[\w-]{1,60}$/.test(code))
  return String(known ?? (error instanceof Error ? error.name : 'unknown'))
}

/**
 * Returns the issuer in the provider's document if it differs from CONSOLE_OIDC_ISSUER; undefined if there is no difference,
 * or if no issuer can have this name, such as `https://login.microsoftonline.com/{tenantid}/v2.0`.
 */
function findOwnIssuer(error: unknown): string | undefined {
  const mismatch = listCauses(error).find(({ attribute }) => attribute === 'issuer')
  const issuer = (mismatch?.body as Properties | undefined)?.issuer
  return typeof issuer === 'string' && /^https?:\/\/[\w.~:/@%+,;=-]{1,200}$/.test(issuer)
    ? issuer
    : undefined
}

export const describeOtherIssuer = (issuer: string): string =>
  `The provider calls itself ${issuer}; set CONSOLE_OIDC_ISSUER to that`

/** Says what the operator must change, or returns the code of {@link findOpenIdErrorCode}. */
export function explainProviderFault(error: unknown): string {
  const issuer = findOwnIssuer(error)
  return issuer === undefined ? findOpenIdErrorCode(error) : describeOtherIssuer(issuer)
}

/** Whether the provider did not answer, or answered with a server error. */
const isUnreachable = (error: unknown): boolean =>
  /^(OAUTH_TIMEOUT|E[A-Z_]+|UND_ERR_\w+)$/.test(findOpenIdErrorCode(error)) ||
  listCauses(error).some(
    ({ status, message }) => Number(status) >= 500 || message === 'fetch failed',
  )
