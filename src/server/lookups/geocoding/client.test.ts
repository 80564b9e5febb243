import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import {
  httpReply,
  type Misbehaviour,
  startHostileServer,
} from '#tests/third-parties/hostile-server.ts'
import { makeGeocoding } from './client.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.stop())
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const ask = (zip: string, apiKey = 'KEY') =>
  makeGeocoding({ baseUrl: sandbox.url, apiKey, timeoutMs: 60_000 })(zip)

async function askHostile(misbehave: Misbehaviour, { apiKey = 'KEY', timeoutMs = 60_000 } = {}) {
  const server = await startHostileServer(misbehave)
  stops.push(server.stop)
  return makeGeocoding({ baseUrl: server.url, apiKey, timeoutMs })('34236')
}

const unavailable = (reason: string) => ({ kind: 'unavailable', reason })

test('asks for the ZIP in the US, with the key', async () => {
  let request = ''
  await askHostile(
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
  expect(await ask(zip)).toEqual({ kind: 'answered', ...place })
})

test.each([
  ['99999', 'quota'],
  ['99998', 'refused-key'],
  ['99997', 'down'],
])('ZIP %s: %s', async (zip, reason) => {
  expect(await ask(zip)).toEqual(unavailable(reason))
})

test('an invalid key', async () => {
  expect(await ask('34236', 'Sandbox-Invalid-Key')).toEqual(unavailable('refused-key'))
})

test.each<[string, Misbehaviour, string]>([
  ['a reset', (socket) => socket.resetAndDestroy(), 'network'],
  ['HTML', (socket) => socket.end(httpReply(200, '<p>hello')), 'broken'],
  ['an empty 200', (socket) => socket.end(httpReply(200, '')), 'broken'],
  ['a redirect', (socket) => socket.end(httpReply(302, '', { location: '/' })), 'broken'],
  ['403', (socket) => socket.end(httpReply(403, '')), 'refused-key'],
  ['429', (socket) => socket.end(httpReply(429, '')), 'quota'],
])('%s', async (_, misbehave, reason) => {
  expect(await askHostile(misbehave)).toEqual(unavailable(reason))
})

test('silence', async () => {
  expect(await askHostile(() => {}, { timeoutMs: 100 })).toEqual(unavailable('timeout'))
})
