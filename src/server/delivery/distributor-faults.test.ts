import { afterEach, expect, test } from 'vitest'
import type { AttemptOutcome, BrokenReplyReason } from '#domain/delivery/outcome.ts'
import { exampleDistributorLead } from '#tests/distributor/example-distributor-lead.ts'
import {
  httpReply,
  type Misbehaviour,
  startHostileServer,
} from '#tests/third-parties/hostile-server.ts'
import { bodyBegun, stopClock } from '#tests/third-parties/stop-clock.ts'
import { makeDistributorClient, type SendResult } from './distributor-client.ts'

const now = Date.UTC(2026, 2, 1, 12, 0, 0)
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const timeoutMs = 60_000
const sendTo = (url: string, signal = new AbortController().signal) =>
  makeDistributorClient({ url, encoding: 'json', timeoutMs, clock: () => now }).send(
    exampleDistributorLead(),
    'key-1',
    signal,
  )

async function resultOf(misbehave: Misbehaviour): Promise<SendResult> {
  const server = await startHostileServer(misbehave)
  stops.push(server.stop)
  return sendTo(server.url)
}

const answering = (...reply: Parameters<typeof httpReply>): Misbehaviour => {
  return (socket) => socket.end(httpReply(...reply))
}

const broken = (httpStatus: number, reason: BrokenReplyReason) =>
  ({ name: 'broken', httpStatus, reason }) as const

test.each<[string, Misbehaviour, AttemptOutcome, string?]>([
  ['an empty 200', answering(200, ''), broken(200, 'unknown-reply')],
  ['204', answering(204, ''), broken(204, 'unknown-status')],
  [
    'success under another 2xx',
    answering(202, '{"status":"success"}'),
    broken(202, 'unknown-status'),
    '{"status":"success"}',
  ],
  ['302', answering(302, '', { location: 'http://127.0.0.1:1/' }), broken(302, 'unknown-status')],
  ['400', answering(400, 'no'), broken(400, 'unknown-status'), 'no'],
  ['401', answering(401, 'no'), { name: 'refused', httpStatus: 401 }, 'no'],
  ['403', answering(403, 'no'), { name: 'refused', httpStatus: 403 }, 'no'],
  ['404', answering(404, 'no'), { name: 'refused', httpStatus: 404 }, 'no'],
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
  ['503', answering(503, 'later'), { name: 'busy', httpStatus: 503 }, 'later'],
  ['502', answering(502, 'bad'), broken(502, 'server-error'), 'bad'],
  [
    '503 with Retry-After',
    answering(503, '', { 'retry-after': '0' }),
    { name: 'busy', httpStatus: 503, retryAfterMs: 0 },
  ],
  [
    '500 with Retry-After',
    answering(500, 'oh', { 'retry-after': '7' }),
    { ...broken(500, 'server-error'), retryAfterMs: 7000 },
    'oh',
  ],
  [
    'a reply over the limit',
    answering(200, `{"status":"success","x":"${'x'.repeat(70_000)}"}`),
    broken(200, 'reply-too-large'),
  ],
  [
    'a reset before the reply',
    (socket) => socket.resetAndDestroy(),
    { name: 'unknown', reason: 'connection-lost', code: 'ECONNRESET' },
  ],
  [
    'a success that breaks off',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":"success"}'),
    { name: 'unknown', httpStatus: 200, reason: 'connection-lost' },
  ],
  [
    'a 500 that breaks off',
    (socket) => socket.end('HTTP/1.1 500 No\r\ncontent-length: 99\r\n\r\noh'),
    broken(500, 'server-error'),
  ],
])('%s', async (_, misbehave, outcome, said) => {
  expect(await resultOf(misbehave)).toEqual({ outcome, response: said })
})

test('without an answer, the outcome is unknown after the timeout', async () => {
  const later = stopClock()
  expect(await resultOf(() => later(timeoutMs))).toEqual({
    outcome: { name: 'unknown', reason: 'timeout' },
  })
})

test('with an incomplete body, the outcome is unknown after the timeout', async () => {
  const later = stopClock()
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"st'
  const begun = bodyBegun()
  const result = resultOf((socket) => socket.write(half))
  await begun
  later(timeoutMs)
  expect(await result).toEqual({
    outcome: { name: 'unknown', httpStatus: 200, reason: 'timeout' },
  })
})

test('if no server listens, the outcome is unreachable', async () => {
  const server = await startHostileServer(() => {})
  await server.stop()
  expect(await sendTo(server.url)).toEqual({
    outcome: { name: 'unreachable', reason: 'no-connection', code: 'ECONNREFUSED' },
  })
})

test('after a certificate or TLS fault, the outcome is unreachable', async () => {
  const server = await startHostileServer((socket) => socket.end(httpReply(200, '')))
  stops.push(server.stop)
  const { outcome } = await sendTo(server.url.replace('http:', 'https:'))
  expect(outcome.name).toBe('unreachable')
})

test('a call that we stop before it is sent is not made; later, its outcome is unknown', async () => {
  const stopping = new AbortController()
  const server = await startHostileServer(() => stopping.abort())
  stops.push(server.stop)
  expect(await sendTo(server.url, stopping.signal)).toEqual({
    outcome: { name: 'unknown', reason: 'stopped' },
  })
  expect(await sendTo(server.url, stopping.signal)).toEqual({
    outcome: { name: 'not-made', reason: 'stopped' },
  })
})

test('the outcome contains no text of the response, which may quote the lead', async () => {
  const echo =
    (status: number, prefix: string): Misbehaviour =>
    (socket, request) =>
      socket.end(httpReply(status, `${prefix}${JSON.stringify(request.split('\r\n\r\n')[1])}}`))
  const results = [
    await resultOf(echo(500, '{"error":')),
    await resultOf(echo(403, '')),
    await resultOf(echo(503, '')),
    await resultOf(echo(200, '{"status":"failure","reason":')),
  ]
  expect(results.map(({ outcome }) => outcome)).toEqual([
    broken(500, 'server-error'),
    { name: 'refused', httpStatus: 403 },
    { name: 'busy', httpStatus: 503 },
    { name: 'rejected', httpStatus: 200 },
  ])
  for (const { response: said } of results) expect(said).toContain('Okafor')
})
