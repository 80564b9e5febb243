import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import {
  httpReply,
  type Misbehaviour,
  startHostileServer,
} from '#tests/third-parties/hostile-server.ts'
import { makeIpLookup } from './client.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.stop())
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function askHostile(
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
  await askHostile((socket, text) => {
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

test('words that mean not found pass as they are', async () => {
  expect(await askHostile(replying(200, '{"IPv4":"IP Not found"}'))).toBe('IP Not found')
})

test.each<[string, Misbehaviour]>([
  ['a number for IPv4', replying(200, '{"IPv4":3405803783}')],
  ['an empty IPv4', replying(200, '{"IPv4":""}')],
  ['words that are no address', replying(200, '{"IPv4":"<script>"}')],
  ['no IPv4', replying(200, '{"ip":"203.0.113.7"}')],
  ['HTML', replying(200, '<p>Not found')],
  ['an empty 200', replying(200, '')],
  ['an address under 500', replying(500, '{"IPv4":"203.0.113.7"}')],
  ['429', replying(429, '{"IPv4":"203.0.113.7"}')],
  ['a reset', (socket) => socket.resetAndDestroy()],
])('%s: undefined', async (_, misbehave) => {
  expect(await askHostile(misbehave)).toBeUndefined()
})

test('silence: undefined after the timeout', async () => {
  expect(await askHostile(() => {}, 100)).toBeUndefined()
})

test('without a URL there is nothing to ask', async () => {
  expect(await makeIpLookup({ url: '', timeoutMs: 100 })('203.0.113.7')).toBeUndefined()
})
