import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Claims = Readonly<Record<string, unknown>>

/** False parts of the provider's answer. */
export interface Lie {
  readonly header?: Claims
  readonly claims?: Claims
  /** The token is signed with another key. */
  readonly isForged?: true
  /** The complete reply of the token endpoint. */
  readonly reply?: Claims
  readonly status?: number
  readonly discovery?: Claims
}

/** Starts a provider with a key that asks nobody to sign in and answers as the test says, like a provider under attack. */
export async function startLiar() {
  const [own, foreign] = [newKeys(), newKeys()]
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path.includes('openid-configuration')) return send(response, { ...about, ...lie.discovery })
    if (path === '/keys') return send(response, { keys: [publicKey(own)] })
    const token = tokenOf(
      { ...truth(), ...lie.claims },
      lie.header ?? {},
      lie.isForged ? foreign : own,
    )
    return send(
      response,
      lie.reply ?? { access_token: 'access', token_type: 'Bearer', id_token: token },
      lie.status,
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const about = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  }
  let lie: Lie = {}
  let nonce = ''
  const now = () => Math.floor(Date.now() / 1000)
  const truth = (): Claims => ({
    ...{ iss: issuer, aud: 'console', sub: 'ada', nonce, iat: now(), exp: now() + 60 },
    ...{ email: 'ada@example.edu', email_verified: true, roles: ['admin'] },
  })
  return {
    issuer,
    /** @param asked the nonce that a true answer would contain */
    say: (said: Lie, asked: string) => {
      lie = said
      nonce = asked
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Keys {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const newKeys = (): Keys => generateKeyPairSync('rsa', { modulusLength: 2048 })

const publicKey = ({ publicKey }: Keys) => ({
  ...publicKey.export({ format: 'jwk' }),
  ...{ kid: 'its key', use: 'sig', alg: 'RS256' },
})

function tokenOf(claims: Claims, header: Claims, { privateKey }: Keys): string {
  const encode = (part: Claims) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({ alg: 'RS256', kid: 'its key', ...header })}.${encode(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}

function send(response: ServerResponse, body: Claims, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
