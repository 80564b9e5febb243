import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import Provider, { type ProviderContext } from 'oidc-provider'

/** A person whom the provider knows, with further claims beside `sub`. */
export type Person = Readonly<Record<string, unknown>> & { readonly sub: string }

export const client = { id: 'console', secret: 'a secret with & in it: 100 %' } as const

/** The settings of a console that uses the provider on this port. */
export const signOnSettings = (port: number) => ({
  CONSOLE_OIDC_ISSUER: `http://127.0.0.1:${port}`,
  CONSOLE_OIDC_CLIENT_ID: client.id,
  CONSOLE_OIDC_CLIENT_SECRET: client.secret,
})

/**
 * Starts a real OpenID Connect provider in the test's own process, whose users sign in without a prompt.
 * @param console the console's origin
 */
export async function startProvider(port: number, console: string) {
  let person: Person = { sub: 'nobody' }
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${console}/sign-in/oidc/callback`],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { openid: ['sub', 'roles'], email: ['email', 'email_verified'] },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ ...person, sub }),
    }),
    // Users are not asked for their consent.
    loadExistingGrant: async ({ oidc }: ProviderContext) => {
      const of = { clientId: oidc.client.clientId, accountId: oidc.session.accountId }
      const grant = new oidc.provider.Grant(of)
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    interactions: { url: () => '/sign-in' },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['of this test'] },
    jwks: { keys: [signingKey()] },
    ttl: { Session: 3600, Interaction: 600, Grant: 3600, AccessToken: 600, IdToken: 600 },
  })
  const answer = provider.callback()
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/sign-in')) {
      void provider.interactionFinished(request, response, { login: { accountId: person.sub } })
    } else void answer(request, response)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    issuer,
    /** Makes this person the user of the browser from now on. */
    seat: (seated: Person) => {
      person = seated
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type RunningProvider = Awaited<ReturnType<typeof startProvider>>

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: 'of this test', use: 'sig', alg: 'RS256' }
}
