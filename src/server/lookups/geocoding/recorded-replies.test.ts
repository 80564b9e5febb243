import { expect, onTestFinished, test } from 'vitest'
import { type RecordedReply, startAnsweringServer } from '#tests/third-parties/answering-server.ts'
import { makeGeocoding } from './client.ts'

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
const unavailable = (reason: string) => ({ kind: 'unavailable', reason })
const noSuchZip = { kind: 'answered', status: 'ZERO_RESULTS' }

test.each<[string, RecordedReply, object]>([
  [
    'OK, the ZIP’s place',
    ok(sarasota),
    { kind: 'answered', status: 'OK', city: 'Sarasota', state: 'FL' },
  ],
  [
    'OK, without the country that was asked for',
    ok({
      ...sarasota,
      address_components: sarasota.address_components.filter((part) => part !== usa),
    }),
    { kind: 'answered', status: 'OK', city: 'Sarasota', state: 'FL' },
  ],
  [
    // What a component filter alone finds, where the ZIP is unknown.
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
])('%s is asked for in %s', async (zip, country) => {
  const { url, stop, requests } = await startAnsweringServer([failed('ZERO_RESULTS')])
  onTestFinished(stop)
  await makeGeocoding({ baseUrl: url, apiKey: 'KEY', timeoutMs: 60_000 })(zip)
  expect(requests).toEqual([
    expect.stringContaining(`?address=${zip}&components=country:${country}&key=KEY `),
  ])
})
