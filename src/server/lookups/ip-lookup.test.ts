import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { chooseIp } from '#domain/lead/distributor-lead.ts'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import { type RecordedReply, startAnsweringServer } from '#tests/third-parties/answering-server.ts'
import {
  httpReply,
  type Misbehaviour,
  startHostileServer,
} from '#tests/third-parties/hostile-server.ts'
import { makeIpLookup } from './lookup-service.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.stop())
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function lookUpHostile(
  misbehave: Misbehaviour,
  timeoutMs = 60_000,
): Promise<string | undefined> {
  const server = await startHostileServer(misbehave)
  stops.push(server.stop)
  return makeIpLookup({ url: `${server.url}/json/{ip}`, timeoutMs })('203.0.113.7')
}

const replying =
  (status: number, body: string): Misbehaviour =>
  (socket) =>
    socket.end(httpReply(status, body))

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['192.0.2.9', 'Not found'],
  ['2001:db8::7', 'Not found'],
])('the sandbox on %s says %s', async (ip, expected) => {
  const lookUp = makeIpLookup({ url: `${sandbox.url}/json/{ip}`, timeoutMs: 60_000 })
  expect(await lookUp(ip)).toBe(expected)
})

test("a URL without {ip} asks for the caller's own address", async () => {
  const lookUp = makeIpLookup({ url: `${sandbox.url}/json/`, timeoutMs: 60_000 })
  expect(await lookUp('203.0.113.7')).toBe('127.0.0.1')
})

test('the address is escaped in the URL', async () => {
  let request = ''
  await lookUpHostile((socket, text) => {
    request = text
    socket.end(httpReply(200, '{}'))
  })
  expect(request).toMatch(/^GET \/json\/203\.0\.113\.7 HTTP/)
  const server = await startHostileServer((socket, text) => {
    request = text
    socket.end(httpReply(200, '{}'))
  })
  stops.push(server.stop)
  await makeIpLookup({ url: `${server.url}/{ip}?also={ip}`, timeoutMs: 60_000 })('::1/../x')
  expect(request).toMatch(/^GET \/%3A%3A1%2F\.\.%2Fx\?also=%3A%3A1%2F\.\.%2Fx HTTP/)
})

test('a text such as “not found” is returned unchanged', async () => {
  expect(await lookUpHostile(replying(200, '{"IPv4":"IP Not found"}'))).toBe('IP Not found')
})

test.each<[string, Misbehaviour]>([
  ['a number for IPv4', replying(200, '{"IPv4":3405803783}')],
  ['an empty IPv4', replying(200, '{"IPv4":""}')],
  ['a text that is no address', replying(200, '{"IPv4":"<script>"}')],
  ['no IPv4', replying(200, '{"ip":"203.0.113.7"}')],
  ['HTML', replying(200, '<p>Not found')],
  ['an empty 200', replying(200, '')],
  ['an address under 500', replying(500, '{"IPv4":"203.0.113.7"}')],
  ['429', replying(429, '{"IPv4":"203.0.113.7"}')],
  ['a reset', (socket) => socket.resetAndDestroy()],
])('%s: undefined', async (_, misbehave) => {
  expect(await lookUpHostile(misbehave)).toBeUndefined()
})

test('silence: undefined after the timeout', async () => {
  expect(await lookUpHostile(() => {}, 100)).toBeUndefined()
})

test('without a URL, the lookup returns undefined', async () => {
  expect(await makeIpLookup({ url: '', timeoutMs: 100 })('203.0.113.7')).toBeUndefined()
})

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

/** Which IP address is sent with the lead: 198.51.100.1 is the fallback, 203.0.113.99 is the visitor's address. */
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
  ['a text that is no address', ok({ ...sarasota, IPv4: 'unknown' }), '203.0.113.99', ['broken']],
  ['a number', ok({ ...sarasota, IPv4: 3405803783 }), '203.0.113.99', ['broken']],
  ['HTML', { status: 200, body: '<h1>Not found</h1>' }, '203.0.113.99', ['broken']],
  ['a host that is gone', { status: 404, body: 'Not Found' }, '203.0.113.99', ['bad-request']],
  ['too many calls', { status: 429, body: '' }, '203.0.113.99', ['quota']],
  ['a server error', { status: 503, body: '' }, '203.0.113.99', ['down', 'down']],
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
  expect(chooseIp((await lookUp(seen)) ?? seen, '198.51.100.1')).toBe(sent)
  expect(outcomes).toEqual(expected)
})
