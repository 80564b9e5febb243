import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import { type RecordedReply, startAnsweringServer } from '#tests/third-parties/answering-server.ts'
import {
  httpReply,
  type Misbehaviour,
  startHostileServer,
} from '#tests/third-parties/hostile-server.ts'
import { findPlaceOfZip, makeGeocoding } from './geocoding.ts'

const part = (type: string, long_name: string, short_name = long_name) => ({
  long_name,
  short_name,
  types: [type, 'political'],
})
const zip = part('postal_code', '11201')
const us = part('country', 'United States', 'US')
const ny = part('administrative_area_level_1', 'New York', 'NY')

test('city from the locality, state in two letters', () => {
  const result = { address_components: [zip, part('locality', 'Albany'), ny, us] }
  expect(findPlaceOfZip([result], '11201')).toEqual({ city: 'Albany', state: 'NY' })
})

test.each(['postal_town', 'sublocality', 'neighborhood', 'administrative_area_level_3'])(
  'without a locality the %s is the city',
  (type) => {
    const result = {
      address_components: [zip, part(type, 'Brooklyn'), ny, us],
      postcode_localities: ['Other'],
    }
    expect(findPlaceOfZip([result], '11201')?.city).toBe('Brooklyn')
  },
)

test('without a city component the first locality of the ZIP is the city', () => {
  const result = { address_components: [zip, ny, us], postcode_localities: ['Arden', 'Fletcher'] }
  expect(findPlaceOfZip([result], '11201')).toEqual({ city: 'Arden', state: 'NY' })
})

test('the first U.S. result for the ZIP counts', () => {
  const other = {
    address_components: [part('postal_code', '11202'), part('locality', 'Wrong'), ny, us],
  }
  const abroad = { address_components: [zip, part('locality', 'Far'), part('country', 'x', 'BR')] }
  const right = { address_components: [zip, part('locality', 'Right'), ny, us] }
  expect(findPlaceOfZip([other, abroad, right], '11201')?.city).toBe('Right')
  expect(findPlaceOfZip([other, abroad], '11201')).toBeUndefined()
})

test.each(['PR', 'VI', 'AS', 'GU', 'MP', 'PW', 'FM', 'MH'])(
  '%s is a country to Google and a state to US mail, whatever part of the island Google names',
  (country) => {
    const island = part('country', 'An island', country)
    const district = part('administrative_area_level_1', 'Ponce')
    const place = { city: 'Ponce', state: country }
    for (const parts of [[island], [district, island]]) {
      const result = { address_components: [zip, part('locality', 'Ponce'), ...parts] }
      expect(findPlaceOfZip([result], '11201')).toEqual(place)
    }
  },
)

test('a result without a country counts as the requested country', () => {
  expect(findPlaceOfZip([{ address_components: [zip, ny] }], '11201')).toEqual({ state: 'NY' })
})

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.stop())
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const lookUp = (zip: string, apiKey = 'KEY') =>
  makeGeocoding({ baseUrl: sandbox.url, apiKey, timeoutMs: 60_000 })(zip)

async function lookUpHostile(misbehave: Misbehaviour, { apiKey = 'KEY', timeoutMs = 60_000 } = {}) {
  const server = await startHostileServer(misbehave)
  stops.push(server.stop)
  return makeGeocoding({ baseUrl: server.url, apiKey, timeoutMs })('34236')
}

const unavailable = (reason: string) => ({ kind: 'unavailable', reason })

test('the request has the ZIP, the country and the key', async () => {
  let request = ''
  await lookUpHostile(
    (socket, text) => {
      request = text
      socket.end(httpReply(200, '{"status":"ZERO_RESULTS","results":[]}'))
    },
    { apiKey: 'K&Y' },
  )
  expect(request).toMatch(
    /^GET \/maps\/api\/geocode\/json\?address=34236&components=country:US&key=K%26Y HTTP/,
  )
})

test.each([
  ['34236', { status: 'OK', city: 'Sarasota', state: 'FL' }],
  ['00601', { status: 'OK', city: 'Adjuntas', state: 'PR' }],
  ['00000', { status: 'ZERO_RESULTS' }],
])('ZIP %s', async (zip, place) => {
  expect(await lookUp(zip)).toEqual({ kind: 'answered', ...place })
})

test.each([
  ['99999', 'quota'],
  ['99998', 'refused-key'],
  ['99997', 'down'],
])('ZIP %s: %s', async (zip, reason) => {
  expect(await lookUp(zip)).toEqual(unavailable(reason))
})

test('an invalid key', async () => {
  expect(await lookUp('34236', 'Sandbox-Invalid-Key')).toEqual(unavailable('refused-key'))
})

test.each<[string, Misbehaviour, string]>([
  ['a reset', (socket) => socket.resetAndDestroy(), 'network'],
  ['HTML', (socket) => socket.end(httpReply(200, '<p>hello')), 'broken'],
  ['an empty 200', (socket) => socket.end(httpReply(200, '')), 'broken'],
  ['a redirect', (socket) => socket.end(httpReply(302, '', { location: '/' })), 'broken'],
  ['403', (socket) => socket.end(httpReply(403, '')), 'refused-key'],
  ['429', (socket) => socket.end(httpReply(429, '')), 'quota'],
])('%s', async (_, misbehave, reason) => {
  expect(await lookUpHostile(misbehave)).toEqual(unavailable(reason))
})

test('silence', async () => {
  expect(await lookUpHostile(() => {}, { timeoutMs: 100 })).toEqual(unavailable('timeout'))
})

async function answerTo(reply: RecordedReply, zip = '34236') {
  const { url, stop } = await startAnsweringServer([reply])
  onTestFinished(stop)
  return makeGeocoding({ baseUrl: url, apiKey: 'KEY', timeoutMs: 60_000 })(zip)
}

const usa = { long_name: 'United States', short_name: 'US', types: ['country', 'political'] }
const florida = {
  long_name: 'Florida',
  short_name: 'FL',
  types: ['administrative_area_level_1', 'political'],
}
const geometry = {
  location: { lat: 27.3, lng: -82.5 },
  location_type: 'APPROXIMATE',
  viewport: {},
}
const sarasota = {
  address_components: [
    { long_name: '34236', short_name: '34236', types: ['postal_code'] },
    { long_name: 'Sarasota', short_name: 'Sarasota', types: ['locality', 'political'] },
    florida,
    usa,
  ],
  formatted_address: 'Sarasota, FL 34236, USA',
  geometry,
  place_id: 'ChIJ',
  types: ['postal_code'],
}
const ok = (...results: object[]) => ({ status: 200, body: { results, status: 'OK' } })
const failed = (status: string, error_message = 'words of Google', http = 200) => ({
  status: http,
  body: { error_message, results: [], status },
})
const noSuchZip = { kind: 'answered', status: 'ZERO_RESULTS' }

test.each<[string, RecordedReply, object]>([
  [
    'OK, the ZIP’s place',
    ok(sarasota),
    { kind: 'answered', status: 'OK', city: 'Sarasota', state: 'FL' },
  ],
  [
    'OK, without the requested country',
    ok({
      ...sarasota,
      address_components: sarasota.address_components.filter((part) => part !== usa),
    }),
    { kind: 'answered', status: 'OK', city: 'Sarasota', state: 'FL' },
  ],
  [
    // Google's reply to an unknown ZIP: the country filter alone matches.
    'OK, the whole country as a partial match',
    ok({
      address_components: [usa],
      formatted_address: 'United States',
      geometry,
      partial_match: true,
      place_id: 'ChIJ',
      types: ['country', 'political'],
    }),
    noSuchZip,
  ],
  [
    'OK, a place abroad with the same number',
    ok({
      ...sarasota,
      address_components: [
        { long_name: '34236', short_name: '34236', types: ['postal_code'] },
        { long_name: 'Türkiye', short_name: 'TR', types: ['country', 'political'] },
      ],
    }),
    noSuchZip,
  ],
  ['OK, without results', ok(), noSuchZip],
  ['ZERO_RESULTS', { status: 200, body: { results: [], status: 'ZERO_RESULTS' } }, noSuchZip],
  [
    'OVER_DAILY_LIMIT',
    failed('OVER_DAILY_LIMIT', 'You have exceeded your daily request quota for this API.'),
    unavailable('refused-key'),
  ],
  ['OVER_QUERY_LIMIT', failed('OVER_QUERY_LIMIT'), unavailable('quota')],
  [
    'REQUEST_DENIED',
    failed('REQUEST_DENIED', 'The provided API key is invalid.'),
    unavailable('refused-key'),
  ],
  ['INVALID_REQUEST', failed('INVALID_REQUEST'), unavailable('bad-request')],
  ['INVALID_REQUEST as 400', failed('INVALID_REQUEST', '', 400), unavailable('bad-request')],
  ['UNKNOWN_ERROR', failed('UNKNOWN_ERROR'), unavailable('down')],
  [
    'ok in small letters',
    { status: 200, body: { results: [sarasota], status: 'ok' } },
    { kind: 'answered', status: 'OK', city: 'Sarasota', state: 'FL' },
  ],
  ['Zero_Results', { status: 200, body: { results: [], status: 'Zero_Results' } }, noSuchZip],
  ['request_denied', failed('request_denied'), unavailable('refused-key')],
  ['a status of tomorrow', failed('A_STATUS_OF_TOMORROW'), unavailable('broken')],
  ['REQUEST_DENIED as 403', failed('REQUEST_DENIED', '', 403), unavailable('refused-key')],
  ['a 429 without a body', { status: 429, body: '' }, unavailable('quota')],
  ['a 503 in HTML', { status: 503, body: '<h1>Unavailable</h1>' }, unavailable('down')],
  ['a 500 that says OK', { ...ok(sarasota), status: 500 }, unavailable('down')],
  ['a 200 in HTML', { status: 200, body: '<p>hello' }, unavailable('broken')],
  [
    'results of another shape',
    { status: 200, body: { status: 'OK', results: [{ address_components: 'no' }] } },
    unavailable('broken'),
  ],
])('%s', async (_, reply, outcome) => {
  expect(await answerTo(reply)).toEqual(outcome)
})

test.each([
  ['34236', 'US'],
  ['00501', 'US'],
  ['00601', 'PR'],
  ['00802', 'VI'],
  ['00907', 'PR'],
  ['96799', 'AS'],
  ['96910', 'GU'],
  ['96939', 'PW'],
  ['96940', 'PW'],
  ['96941', 'FM'],
  ['96950', 'MP'],
  ['96960', 'MH'],
  ['96813', 'US'],
])('the request for %s names the country %s', async (zip, country) => {
  const { url, stop, requests } = await startAnsweringServer([failed('ZERO_RESULTS')])
  onTestFinished(stop)
  await makeGeocoding({ baseUrl: url, apiKey: 'KEY', timeoutMs: 60_000 })(zip)
  expect(requests).toEqual([
    expect.stringContaining(`?address=${zip}&components=country:${country}&key=KEY `),
  ])
})
