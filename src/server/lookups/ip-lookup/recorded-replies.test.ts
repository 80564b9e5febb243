import { expect, onTestFinished, test } from 'vitest'
import { ipToSend } from '#domain/lead/derived.ts'
import { type RecordedReply, startAnsweringServer } from '#tests/third-parties/answering-server.ts'
import { makeIpLookup } from './client.ts'

const sarasota = {
  country_code: 'US',
  country_name: 'United States',
  city: 'Sarasota',
  postal: '34236',
  latitude: 27.3269,
  longitude: -82.5433,
  IPv4: '203.0.113.7',
  state: 'Florida',
}
const allOf = (value: string) =>
  Object.fromEntries(Object.keys(sarasota).map((name) => [name, value]))
const ok = (body: object) => ({ status: 200, body })

/** What is then sent with the lead: 198.51.100.1 is the fallback, 203.0.113.99 the address as seen. */
test.each<[string, RecordedReply, sent: string, outcomes: string[]]>([
  ['a place', ok(sarasota), '203.0.113.7', ['answered']],
  ['every value "Not found"', ok(allOf('Not found')), '198.51.100.1', ['answered']],
  [
    '"Not found" for all but the address',
    ok({ ...allOf('Not found'), IPv4: '203.0.113.7' }),
    '203.0.113.7',
    ['answered'],
  ],
  [
    '"IP Not found" beside a country',
    ok({ ...sarasota, IPv4: 'IP Not found' }),
    '198.51.100.1',
    ['answered'],
  ],
  ['"NOT FOUND"', ok({ ...sarasota, IPv4: 'NOT FOUND' }), '198.51.100.1', ['answered']],
  ['no IPv4', ok({ country_code: 'US' }), '203.0.113.99', ['broken']],
  ['words that are no address', ok({ ...sarasota, IPv4: 'unknown' }), '203.0.113.99', ['broken']],
  ['a number', ok({ ...sarasota, IPv4: 3405803783 }), '203.0.113.99', ['broken']],
  ['HTML', { status: 200, body: '<h1>Not found</h1>' }, '203.0.113.99', ['broken']],
  ['a host that is gone', { status: 404, body: 'Not Found' }, '203.0.113.99', ['bad-request']],
  ['too many calls', { status: 429, body: '' }, '203.0.113.99', ['quota']],
  ['a fault of theirs', { status: 503, body: '' }, '203.0.113.99', ['down', 'down']],
])('%s', async (_, reply, sent, expected) => {
  const { url, stop } = await startAnsweringServer([reply])
  onTestFinished(stop)
  const outcomes: string[] = []
  const lookUp = makeIpLookup({
    url: `${url}/json/{ip}`,
    timeoutMs: 60_000,
    onCall: (outcome) => outcomes.push(outcome),
  })
  const seen = '203.0.113.99'
  expect(ipToSend((await lookUp(seen)) ?? seen, '198.51.100.1')).toBe(sent)
  expect(outcomes).toEqual(expected)
})
