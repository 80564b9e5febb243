import { expect, onTestFinished, test } from 'vitest'
import { type RecordedReply, startAnsweringServer } from '#tests/third-parties/answering-server.ts'
import { makeAddressValidation } from './client.ts'

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
    'CONFIRM with a replaced ZIP: the street is as it was typed',
    answer(
      { ...premise, hasReplacedComponents: true, possibleNextAction: 'CONFIRM' },
      { addressComponents: [part('route'), part('postal_code', { replaced: true })] },
    ),
    [],
  ],
  [
    'CONFIRM that does not say which part was replaced',
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
    'FIX with what it made of the address',
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

test('what was not found is absent', async () => {
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
