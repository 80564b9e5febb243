import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import { type RecordedReply, startAnsweringServer } from '#tests/third-parties/answering-server.ts'
import {
  httpReply,
  type Misbehaviour,
  startHostileServer,
} from '#tests/third-parties/hostile-server.ts'
import { makeAddressValidation } from './address-validation.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.stop())
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const validate = (address: string, zip: string, apiKey = 'KEY') =>
  makeAddressValidation({ baseUrl: sandbox.url, apiKey, timeoutMs: 60_000 })(address, zip)

async function validateHostile(misbehave: Misbehaviour, timeoutMs = 60_000) {
  const server = await startHostileServer(misbehave)
  stops.push(server.stop)
  const baseUrl = server.url
  return makeAddressValidation({ baseUrl, apiKey: 'KEY', timeoutMs })('1 Oak St', '34236')
}

const unavailable = (reason: string) => ({ kind: 'unavailable', reason })

test('the request follows the contract: path, query, and street and ZIP in one line', async () => {
  let request = ''
  const server = await startHostileServer((socket, text) => {
    request = text
    socket.end(httpReply(200, '{"result":{"address":{}}}'))
  })
  stops.push(server.stop)
  const validate = makeAddressValidation({
    baseUrl: server.url,
    apiKey: 'K&Y',
    timeoutMs: 60_000,
  })
  expect(await validate('1 Oak St', '34236')).toEqual({
    kind: 'answered',
    postalAddress: {},
    doubts: [],
  })
  expect(request).toMatch(/^POST \/v1:validateAddress\?alt=json&key=K%26Y HTTP/)
  expect(request).toMatch(/\r\n\r\n\{"address":\{"addressLines":\["1 Oak St 34236"\]\}\}$/)
})

test.each<[string, string, string, object, string[]?]>([
  [
    'a street in a known ZIP',
    '1 Oak St',
    '10001',
    {
      addressLines: ['1 Oak St'],
      postalCode: '10001',
      administrativeArea: 'NY',
      locality: 'New York',
    },
  ],
  [
    'ZIP+4',
    '123 Main St',
    '34236',
    {
      addressLines: ['123 Main St'],
      postalCode: '34236-5610',
      administrativeArea: 'FL',
      locality: 'Sarasota',
    },
  ],
  [
    'a name without a number',
    'Main Street',
    '34236',
    { postalCode: '34236', administrativeArea: 'FL', locality: 'Sarasota' },
  ],
  ['an unknown ZIP', '1 Oak St', '00000', {}],
  [
    'FIX',
    '1 FIX St',
    '34236',
    { postalCode: '34236', administrativeArea: 'FL', locality: 'Sarasota' },
  ],
  [
    'CONFIRM',
    '1 CONFIRM St',
    '34236',
    {
      addressLines: ['1 CONFIRM St'],
      postalCode: '34236',
      administrativeArea: 'FL',
      locality: 'Sarasota',
    },
  ],
  [
    'REPLACE',
    '1 REPLACE St',
    '34236',
    {
      addressLines: ['1 Replaced St'],
      postalCode: '34236',
      administrativeArea: 'FL',
      locality: 'Sarasota',
    },
    ['street-corrected'],
  ],
  [
    'NOUNIT',
    '1 NOUNIT St',
    '34236',
    {
      addressLines: ['1 NOUNIT St'],
      postalCode: '34236',
      administrativeArea: 'FL',
      locality: 'Sarasota',
    },
    ['unit-missing'],
  ],
  [
    'UNKNOWN',
    '1 UNKNOWN St',
    '34236',
    {
      addressLines: ['1 UNKNOWN St'],
      postalCode: '34236',
      administrativeArea: 'FL',
      locality: 'Sarasota',
    },
    ['street-unknown'],
  ],
  [
    'a number and a name in an unusual order',
    'DD9 Calle 8',
    '00956',
    {
      addressLines: ['DD9 Calle 8'],
      postalCode: '00956',
      administrativeArea: 'PR',
      locality: 'Bayamon',
    },
    ['street-unknown'],
  ],
])('%s', async (_, address, zip, postalAddress, doubts = []) => {
  expect(await validate(address, zip)).toEqual({ kind: 'answered', postalAddress, doubts })
})

test.each([
  ['99999', 'quota'],
  ['99998', 'refused-key'],
  ['99997', 'down'],
])('ZIP %s: %s', async (zip, reason) => {
  expect(await validate('1 Oak St', zip)).toEqual(unavailable(reason))
})

test('an invalid key', async () => {
  expect(await validate('1 Oak St', '34236', 'Sandbox-Invalid-Key')).toEqual(
    unavailable('refused-key'),
  )
})

test.each<[string, Misbehaviour, string]>([
  ['a reset', (socket) => socket.resetAndDestroy(), 'network'],
  [
    'a body that breaks off',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{'),
    'network',
  ],
])('%s', async (_, misbehave, reason) => {
  expect(await validateHostile(misbehave)).toEqual(unavailable(reason))
})

test('silence, or a body that stops half way: timeout', async () => {
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{'
  // The timeout applies to the whole reply, even if a part of it has arrived.
  expect(await validateHostile(() => {}, 100)).toEqual(unavailable('timeout'))
  expect(await validateHostile((socket) => socket.write(half), 100)).toEqual(unavailable('timeout'))
})

test('a service that does not run', async () => {
  const server = await startHostileServer(() => {})
  await server.stop()
  const validate = makeAddressValidation({ baseUrl: server.url, apiKey: 'KEY', timeoutMs: 60_000 })
  expect(await validate('1 Oak St', '34236')).toEqual(unavailable('network'))
})

test('the sandbox omits false flags and missing parts, as Google does', async () => {
  const reply = await fetch(`${sandbox.url}/v1:validateAddress`, {
    method: 'POST',
    body: JSON.stringify({ address: { addressLines: ['1 Oak St 34236'] } }),
  })
  const text = await reply.text()
  expect(text).not.toMatch(/false|null/)
  expect(JSON.parse(text)).toMatchObject({
    result: {
      verdict: { possibleNextAction: 'ACCEPT', addressComplete: true },
      address: { postalAddress: { regionCode: 'US' } },
    },
    responseId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

async function answerTo(reply: RecordedReply) {
  const { url, stop } = await startAnsweringServer([reply])
  onTestFinished(stop)
  const validate = makeAddressValidation({ baseUrl: url, apiKey: 'KEY', timeoutMs: 60_000 })
  return validate('123 Main St', '34236')
}

const postalAddress = {
  regionCode: 'US',
  languageCode: 'en',
  postalCode: '34236-5610',
  administrativeArea: 'FL',
  locality: 'Sarasota',
  addressLines: ['123 Main St'],
}
const found = {
  postalCode: '34236-5610',
  administrativeArea: 'FL',
  locality: 'Sarasota',
  addressLines: ['123 Main St'],
}
const premise = {
  inputGranularity: 'PREMISE',
  validationGranularity: 'PREMISE',
  geocodeGranularity: 'PREMISE',
}
const part = (componentType: string, flags: object = {}) => ({
  componentName: { text: 'words', languageCode: 'en' },
  componentType,
  confirmationLevel: 'CONFIRMED',
  ...flags,
})

const answer = (verdict: object, address: object = {}): RecordedReply => ({
  status: 200,
  body: {
    result: {
      verdict,
      address: {
        formattedAddress: '123 Main St, Sarasota, FL 34236-5610, USA',
        postalAddress,
        addressComponents: [part('street_number'), part('route')],
        ...address,
      },
      geocode: { location: { latitude: 27.33, longitude: -82.54 }, placeId: 'ChIJ' },
      metadata: { residential: true },
      uspsData: {
        standardizedAddress: {
          firstAddressLine: '123 MAIN ST',
          city: 'SARASOTA',
          state: 'FL',
          zipCode: '34236',
          zipCodeExtension: '5610',
        },
        dpvConfirmation: 'Y',
      },
    },
    responseId: 'de22bed8-7f52-44cb-8526-faceac57150a',
  },
})

test.each<[string, RecordedReply, string[]]>([
  [
    'ACCEPT',
    answer({
      ...premise,
      addressComplete: true,
      hasInferredComponents: true,
      possibleNextAction: 'ACCEPT',
    }),
    [],
  ],
  ['a verdict of which all is false, and so absent', answer({}), []],
  [
    'CONFIRM with unconfirmed components',
    answer(
      {
        ...premise,
        validationGranularity: 'PREMISE_PROXIMITY',
        addressComplete: true,
        hasUnconfirmedComponents: true,
        possibleNextAction: 'CONFIRM',
      },
      { unconfirmedComponentTypes: ['street_number'] },
    ),
    [],
  ],
  [
    'CONFIRM with a corrected street',
    answer(
      {
        ...premise,
        addressComplete: true,
        hasSpellCorrectedComponents: true,
        possibleNextAction: 'CONFIRM',
      },
      { addressComponents: [part('street_number'), part('route', { spellCorrected: true })] },
    ),
    ['street-corrected'],
  ],
  [
    'CONFIRM with a replaced street',
    answer(
      { ...premise, hasReplacedComponents: true, possibleNextAction: 'CONFIRM' },
      { addressComponents: [part('street_number'), part('route', { replaced: true })] },
    ),
    ['street-corrected'],
  ],
  [
    'CONFIRM with a replaced ZIP and the typed street',
    answer(
      { ...premise, hasReplacedComponents: true, possibleNextAction: 'CONFIRM' },
      { addressComponents: [part('route'), part('postal_code', { replaced: true })] },
    ),
    [],
  ],
  [
    'CONFIRM without the replaced part',
    answer(
      { ...premise, hasReplacedComponents: true, possibleNextAction: 'CONFIRM' },
      { addressComponents: [] },
    ),
    ['street-corrected'],
  ],
  [
    'CONFIRM_ADD_SUBPREMISES',
    answer({ ...premise, possibleNextAction: 'CONFIRM_ADD_SUBPREMISES' }),
    ['unit-missing'],
  ],
  [
    'a missing subpremise under another verdict',
    answer(
      { ...premise, possibleNextAction: 'CONFIRM' },
      { missingComponentTypes: ['subpremise'] },
    ),
    ['unit-missing'],
  ],
  [
    'FIX with a guessed address',
    answer(
      {
        inputGranularity: 'PREMISE',
        validationGranularity: 'OTHER',
        geocodeGranularity: 'OTHER',
        hasUnconfirmedComponents: true,
        possibleNextAction: 'FIX',
      },
      { unconfirmedComponentTypes: ['street_number', 'route'], unresolvedTokens: ['xyzzy'] },
    ),
    ['street-unknown'],
  ],
  ['a next action of tomorrow', answer({ ...premise, possibleNextAction: 'PONDER' }), []],
])('%s', async (_, reply, doubts) => {
  expect(await answerTo(reply)).toEqual({ kind: 'answered', postalAddress: found, doubts })
})

test('missing parts are absent', async () => {
  const nothing = { status: 200, body: { result: { verdict: {}, address: {} } } }
  expect(await answerTo(nothing)).toEqual({ kind: 'answered', postalAddress: {}, doubts: [] })
})

test.each([
  ['PR', 'San Juan', 'PR'],
  ['GU', undefined, 'GU'],
  ['US', 'FL', 'FL'],
  [undefined, 'FL', 'FL'],
])('of the region %s, with the area %s: the state %s', async (regionCode, area, state) => {
  const { administrativeArea: _, ...rest } = postalAddress
  const named = { ...rest, regionCode, ...(area ? { administrativeArea: area } : {}) }
  expect(await answerTo(answer({}, { postalAddress: named }))).toEqual({
    kind: 'answered',
    postalAddress: { ...found, administrativeArea: state },
    doubts: [],
  })
})

const googleError = (code: number, status: string, reason?: string, message = 'words of Google') =>
  ({
    status: code,
    body: {
      error: {
        code,
        message,
        status,
        ...(reason
          ? {
              details: [
                {
                  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
                  reason,
                  domain: 'googleapis.com',
                  metadata: { service: 'addressvalidation.googleapis.com' },
                },
              ],
            }
          : {}),
      },
    },
  }) satisfies RecordedReply

test.each<[string, RecordedReply]>([
  ['bad-request', googleError(400, 'INVALID_ARGUMENT', undefined, 'Unsupported region code: CN.')],
  ['bad-request', googleError(400, 'INVALID_ARGUMENT', 'A_REASON_OF_TOMORROW')],
  ['bad-request', googleError(404, 'NOT_FOUND')],
  ['refused-key', googleError(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID')],
  ['refused-key', googleError(401, 'UNAUTHENTICATED')],
  ['refused-key', googleError(403, 'PERMISSION_DENIED')],
  ['refused-key', googleError(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED')],
  ['refused-key', googleError(403, 'PERMISSION_DENIED', 'BILLING_DISABLED')],
  ['refused-key', googleError(403, 'PERMISSION_DENIED', 'API_KEY_SERVICE_BLOCKED')],
  ['refused-key', googleError(403, 'PERMISSION_DENIED', 'API_KEY_HTTP_REFERRER_BLOCKED')],
  ['refused-key', googleError(403, 'PERMISSION_DENIED', 'API_KEY_IP_ADDRESS_BLOCKED')],
  ['refused-key', googleError(403, 'PERMISSION_DENIED', 'CONSUMER_SUSPENDED')],
  ['quota', googleError(403, 'PERMISSION_DENIED', 'RATE_LIMIT_EXCEEDED')],
  ['quota', googleError(429, 'RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED')],
  ['quota', googleError(429, 'RESOURCE_EXHAUSTED', 'RESOURCE_QUOTA_EXCEEDED')],
  ['quota', googleError(429, 'RESOURCE_EXHAUSTED')],
  ['down', googleError(500, 'INTERNAL')],
  ['down', googleError(503, 'UNAVAILABLE')],
  ['down', { status: 502, body: '<h1>Bad Gateway</h1>' }],
  ['broken', { status: 302, body: '' }],
  ['broken', { status: 200, body: '' }],
  ['broken', { status: 200, body: '<p>hello' }],
  ['broken', { status: 200, body: { result: [] } }],
  ['broken', { status: 200, body: { result: { verdict: {} } } }],
  ['broken', { status: 200, body: ' '.repeat(70_000) }],
])('%s: $status $body', async (reason, reply) => {
  expect(await answerTo(reply)).toEqual({ kind: 'unavailable', reason })
})
