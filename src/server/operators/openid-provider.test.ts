import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Lie, startLiar } from '#tests/sign-on/start-liar.ts'
import { makeOpenIdProvider } from './openid-provider.ts'

const secrets = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) }

let fakeProvider: Awaited<ReturnType<typeof startLiar>>
beforeAll(async () => {
  fakeProvider = await startLiar()
})
afterAll(() => fakeProvider.stop())

const logLines: string[] = []

const makeProvider = (issuer = fakeProvider.issuer, clock = Date.now) =>
  makeOpenIdProvider(
    {
      issuer,
      clientId: 'console',
      clientSecret: 'a secret',
      name: 'single sign-on',
      scopes: 'openid email',
      roles: { claim: 'roles', meaning: { viewer: [], operator: [], admin: ['admin'] } },
      verifiedClaim: 'email_verified',
    },
    () => 'http://127.0.0.1:3001/sign-in/oidc/callback',
    { log: pino({}, { write: (line) => logLines.push(line) }), clock },
  )

async function identify(lie: Lie, response: Readonly<Record<string, string>> = {}) {
  fakeProvider.say(lie, secrets.nonce)
  const query = new URLSearchParams({
    code: 'code',
    state: secrets.state,
    iss: fakeProvider.issuer,
    ...response,
  })
  return makeProvider().identify(`?${query}`, secrets)
}

test('a valid response is accepted', async () => {
  expect(await identify({})).toMatchObject({
    kind: 'identified',
    identity: { issuer: fakeProvider.issuer, subject: 'ada', authenticatedAt: undefined },
  })
})

const past = Math.floor(Date.now() / 1000) - 3600

test('a valid response is accepted although the machine’s clock is wrong, and is set right later', async () => {
  let ahead = 3600
  const provider = makeProvider(fakeProvider.issuer, () => Date.now() - ahead * 1000)
  for (const iat of [past, past + 3600]) {
    fakeProvider.say({ claims: { iat, exp: iat + 60 } }, secrets.nonce)
    const query = { code: 'code', state: secrets.state, iss: fakeProvider.issuer }
    const identified = await provider.identify(`?${new URLSearchParams(query)}`, secrets)
    expect(identified).toMatchObject({ kind: 'identified' })
    ahead = 0
  }
})

describe.each<readonly [string, Lie]>([
  ['another nonce', { claims: { nonce: 'another' } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['another issuer', { claims: { iss: 'https://login.example.net' } }],
  ['another client’s token', { claims: { aud: 'payroll' } }],
  ['a token for several, made for another', { claims: { aud: ['console', 'x'], azp: 'x' } }],
  ['a token of an hour ago', { claims: { iat: past, exp: past + 60 } }],
  ['nobody', { claims: { sub: undefined } }],
  ['another’s signature', { isForged: true }],
  ['no signature', { header: { alg: 'none' } }],
  ['a signature by the secret', { header: { alg: 'HS256' } }],
  ['no token', { reply: { access_token: 'access', token_type: 'Bearer' } }],
  ['a token that is none', { reply: { access_token: 'a', token_type: 'Bearer', id_token: 'x' } }],
  ['an error', { status: 400, reply: { error: 'invalid_client', error_description: 'ada@x' } }],
])('a provider that says %s', (_, lie) => {
  test('signs nobody in', async () => {
    const identified = await identify(lie)
    expect(identified.kind).toBe('refused')
  })
})

test.each([
  ['another state', { state: 'another' }],
  ['another issuer, as where two providers are mixed up', { iss: 'https://login.example.net' }],
  ['no code', { code: '' }],
])('a response with %s signs nobody in', async (_, response) => {
  expect((await identify({}, response)).kind).toBe('refused')
})

test('a failing provider counts as unreachable', async () => {
  expect(await identify({ status: 502, reply: {} })).toEqual({ kind: 'unreachable' })
})

const startAt = (issuer: string) =>
  makeProvider(issuer).makeAuthorizationUrl(secrets, { forcesLogin: false })

test.each<readonly [string, (issuer: string) => string, (issuer: string) => string]>([
  ['a slash at the end', (issuer) => `${issuer}/o/staff`, (issuer) => `${issuer}/o/staff/`],
  ['no slash at the end', (issuer) => `${issuer}/o/staff/`, (issuer) => `${issuer}/o/staff`],
  ['another host', (issuer) => issuer, () => 'https://login.example.net/o/a~b_c'],
  [
    'another name, below its discovery document',
    (issuer) => `${issuer}/.well-known/openid-configuration/extra`,
    (issuer) => issuer,
  ],
])('an issuer with %s is not used, but named in reply and log', async (_, given, own) => {
  const issuer = own(fakeProvider.issuer)
  fakeProvider.say({ discovery: { issuer } }, '')
  expect(await startAt(given(fakeProvider.issuer))).toEqual({ kind: 'other issuer', issuer })
  expect(logLines.at(-1)).toContain(
    `The provider calls itself ${issuer}; set CONSOLE_OIDC_ISSUER to that`,
  )
})

test.each([
  'https://login.example.net/{tenantid}/v2.0',
  'https://login.example.net/<script>',
  `https://login.example.net/${'x'.repeat(300)}`,
  'not a URL',
])('an issuer with the name %s is not used, and nobody is told to set it', async (issuer) => {
  fakeProvider.say({ discovery: { issuer } }, '')
  expect(await startAt(fakeProvider.issuer)).toEqual({ kind: 'unreachable' })
})

test('the browser gets the challenge, and never the verifier or the client secret', async () => {
  fakeProvider.say({}, '')
  const address = await makeProvider().makeAuthorizationUrl(secrets, { forcesLogin: false })
  if ('kind' in address) throw new Error(address.kind)
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    state: secrets.state,
    nonce: secrets.nonce,
  })
  expect(address.href).not.toContain(secrets.verifier)
  expect(address.href).not.toContain('secret')
})

test('the log has codes of the protocol and no personal data', async () => {
  await identify({ status: 400, reply: { error: 'invalid_client', error_description: 'ada@x' } })
  const log = logLines.join('')
  expect(log).toContain('invalid_client')
  for (const part of ['ada', 'a secret', 'eyJ']) expect(log).not.toContain(part)
})
