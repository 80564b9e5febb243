import { afterEach, expect, test } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { httpReply, type Misbehaviour, startHostileServer } from '../hostile-server.ts'
import { makeDistributor } from './client.ts'
import { exampleWireLead } from './example-wire-lead.ts'

const now = Date.UTC(2026, 2, 1, 12, 0, 0)
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const sendTo = (url: string, signal = new AbortController().signal, timeoutMs = 10_000) =>
  makeDistributor({ url, encoding: 'json', timeoutMs, clock: () => now }).send(
    exampleWireLead(),
    'key-1',
    signal,
  )

async function outcomeOf(misbehave: Misbehaviour, timeoutMs?: number): Promise<AttemptOutcome> {
  const server = await startHostileServer(misbehave)
  stops.push(server.stop)
  return sendTo(server.url, undefined, timeoutMs)
}

const answering = (...reply: Parameters<typeof httpReply>): Misbehaviour => {
  return (socket) => socket.end(httpReply(...reply))
}

test.each<[string, Misbehaviour, AttemptOutcome]>([
  [
    'an empty 200',
    answering(200, ''),
    { name: 'broken', httpStatus: 200, detail: 'HTTP 200 without a known status, empty' },
  ],
  ['204', answering(204, ''), { name: 'broken', httpStatus: 204, detail: 'HTTP 204, empty' }],
  [
    'success under another 2xx',
    answering(202, '{"status":"success"}'),
    { name: 'broken', httpStatus: 202, detail: 'HTTP 202: {"status":"success"}' },
  ],
  [
    '302',
    answering(302, '', { location: 'http://127.0.0.1:1/' }),
    { name: 'broken', httpStatus: 302, detail: 'HTTP 302, empty' },
  ],
  ['400', answering(400, 'no'), { name: 'broken', httpStatus: 400, detail: 'HTTP 400: no' }],
  ['401', answering(401, 'no'), { name: 'refused', httpStatus: 401, detail: 'HTTP 401: no' }],
  ['403', answering(403, 'no'), { name: 'refused', httpStatus: 403, detail: 'HTTP 403: no' }],
  ['404', answering(404, 'no'), { name: 'refused', httpStatus: 404, detail: 'HTTP 404: no' }],
  ['408', answering(408, ''), { name: 'busy', httpStatus: 408 }],
  [
    '429 with seconds',
    answering(429, '', { 'retry-after': '30' }),
    { name: 'busy', httpStatus: 429, retryAfterMs: 30_000 },
  ],
  [
    '429 with a date',
    answering(429, '', { 'retry-after': 'Sun, 01 Mar 2026 12:00:45 GMT' }),
    { name: 'busy', httpStatus: 429, retryAfterMs: 45_000 },
  ],
  ['503', answering(503, 'later'), { name: 'busy', httpStatus: 503 }],
  ['502', answering(502, 'bad'), { name: 'broken', httpStatus: 502, detail: 'HTTP 502: bad' }],
  [
    '503 with Retry-After',
    answering(503, '', { 'retry-after': '0' }),
    { name: 'busy', httpStatus: 503, retryAfterMs: 0 },
  ],
  [
    '500 with Retry-After',
    answering(500, 'oh', { 'retry-after': '7' }),
    { name: 'broken', httpStatus: 500, detail: 'HTTP 500: oh', retryAfterMs: 7000 },
  ],
  [
    'a reply over the limit',
    answering(200, `{"status":"success","x":"${'x'.repeat(70_000)}"}`),
    { name: 'broken', httpStatus: 200, detail: 'HTTP 200 with a reply over 64 KB' },
  ],
  [
    'a reset before the reply',
    (socket) => socket.resetAndDestroy(),
    { name: 'unknown', detail: 'no answer came: connection lost (ECONNRESET)' },
  ],
  [
    'a success that breaks off',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":"success"}'),
    { name: 'unknown', detail: 'the reply broke off: connection lost' },
  ],
  [
    'a 500 that breaks off',
    (socket) => socket.end('HTTP/1.1 500 No\r\ncontent-length: 99\r\n\r\noh'),
    { name: 'broken', httpStatus: 500, detail: 'HTTP 500' },
  ],
])('%s', async (_, misbehave, outcome) => {
  expect(await outcomeOf(misbehave)).toEqual(outcome)
})

test('silence: unknown after the timeout', async () => {
  expect(await outcomeOf(() => {}, 100)).toEqual({
    name: 'unknown',
    detail: 'no answer came within 100 ms',
  })
})

test('a body that stops half way: unknown after the timeout', async () => {
  // Long enough for the status to arrive on a busy machine.
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"st'
  expect(await outcomeOf((socket) => socket.write(half), 1000)).toEqual({
    name: 'unknown',
    detail: 'the reply broke off within 1000 ms',
  })
})

test('nobody listens: unreachable', async () => {
  const server = await startHostileServer(() => {})
  await server.stop()
  expect(await sendTo(server.url)).toEqual({
    name: 'unreachable',
    detail: 'not sent: no connection (ECONNREFUSED)',
  })
})

test('a certificate or TLS fault: unreachable', async () => {
  const server = await startHostileServer((socket) => socket.end(httpReply(200, '')))
  stops.push(server.stop)
  const outcome = await sendTo(server.url.replace('http:', 'https:'))
  expect(outcome.name).toBe('unreachable')
})

test('stopped before sending: unreachable; stopped while waiting: unknown', async () => {
  const stopping = new AbortController()
  const server = await startHostileServer(() => stopping.abort())
  stops.push(server.stop)
  expect(await sendTo(server.url, stopping.signal)).toEqual({
    name: 'unknown',
    detail: 'no answer came before this process stopped waiting',
  })
  expect(await sendTo(server.url, stopping.signal)).toEqual({
    name: 'unreachable',
    detail: 'not sent: this process is stopping',
  })
})

test('a distributor that echoes the lead does not get it into the outcome', async () => {
  const echo =
    (status: number, prefix: string): Misbehaviour =>
    (socket, request) =>
      socket.end(httpReply(status, `${prefix}${JSON.stringify(request.split('\r\n\r\n')[1])}}`))
  const personal = /Maribel|Okafor|9415550123|example\.com|203\.0\.113|Ringling|Sarasota/i
  const outcomes = [
    await outcomeOf(echo(500, '{"error":')),
    await outcomeOf(echo(403, '')),
    await outcomeOf(echo(200, '{"status":"failure","reason":')),
  ]
  expect(outcomes.map(({ name }) => name)).toEqual(['broken', 'refused', 'rejected'])
  expect(JSON.stringify(outcomes)).not.toMatch(personal)
})

test('keeps at most 20 reasons', async () => {
  const errors = Array.from({ length: 50 }, (_, index) => `reason ${index}`)
  const outcome = await outcomeOf(answering(200, JSON.stringify({ status: 'failure', errors })))
  expect(outcome.name === 'rejected' && outcome.reasons).toHaveLength(20)
})
