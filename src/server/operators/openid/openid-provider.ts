import type { Logger } from 'pino'
import { claimOf } from '#domain/operator/role-by-claim.ts'
import type { SingleSignOnSettings } from '#server/config/settings.ts'
import type {
  Identified,
  IdentityProvider,
  TripSecrets,
} from '../single-sign-on/identity-provider.ts'
import { DiscoveredProvider } from './discovered-provider.ts'
import { isUnreachable, wordOf } from './provider-faults.ts'

type Configuration = import('openid-client').Configuration
type Claims = Readonly<Record<string, unknown>>

export interface ProviderPorts {
  readonly settings: SingleSignOnSettings
  /** Where the browser comes back to: asked for once the console listens. */
  readonly redirectUri: () => string
  readonly log: Logger
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** Code flow with PKCE, state and nonce. The token's signature, issuer, audience and times are the library's to check. */
export function makeOpenIdProvider({
  settings,
  redirectUri,
  log,
  clock,
}: ProviderPorts): IdentityProvider {
  const provider = new DiscoveredProvider(settings, log, clock)

  const identify = async (
    config: Configuration,
    answer: string,
    { state, nonce, verifier }: TripSecrets,
  ): Promise<Identified> => {
    const { authorizationCodeGrant } = await import('openid-client')
    const address = new URL(redirectUri())
    address.search = answer
    const tokens = await authorizationCodeGrant(config, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) return { kind: 'refused', why: 'no identity' }
    const { sub: subject, auth_time: time } = claims
    const all = { ...(await moreClaims(config, tokens.access_token, claims)), ...claims }
    const authenticatedAt = typeof time === 'number' ? time * 1000 : undefined
    const { issuer } = settings
    return { kind: 'known', identity: { issuer, subject, claims: all, authenticatedAt } }
  }

  /** Some providers keep the token short, and tell the rest when asked. */
  const moreClaims = async (
    config: Configuration,
    accessToken: string,
    claims: Claims & { readonly sub: string },
  ): Promise<Claims> => {
    const wanted = [settings.roles.claim, 'email', settings.verifiedClaim]
    const isWhole = wanted.every((name) => claimOf(claims, name) !== undefined)
    if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return {}
    const { fetchUserInfo } = await import('openid-client')
    return fetchUserInfo(config, accessToken, claims.sub).catch((error: unknown) => {
      if (isUnreachable(error)) throw error
      log.warn({ why: wordOf(error) }, 'single sign-on: the provider tells no more of somebody')
      return {}
    })
  }

  return {
    issuer: settings.issuer,
    isAway: () => provider.isAway(),
    addressFor: async ({ state, nonce, verifier }, { asksAnew }) => {
      const config = await provider.find()
      if (config === undefined) return undefined
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      return buildAuthorizationUrl(config, {
        redirect_uri: redirectUri(),
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(asksAnew ? { prompt: 'login', max_age: '0' } : {}),
      })
    },
    identify: async (answer, trip) => {
      const config = await provider.find()
      if (config === undefined) return { kind: 'away' }
      try {
        return await identify(config, answer, trip)
      } catch (error) {
        const why = wordOf(error)
        log.warn({ why }, 'single sign-on: somebody was not signed in')
        return isUnreachable(error) ? { kind: 'away' } : { kind: 'refused', why }
      }
    },
  }
}
