import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { selfSigned } from '#tests/faults/self-signed.ts'
import {
  httpReply,
  type Misbehaviour,
  startHostileServer,
} from '#tests/third-parties/hostile-server.ts'
import { bodyBegun, stopClock } from '#tests/third-parties/stop-clock.ts'
import { type CallResult, type HttpCall, maxReplyBytes, sendRequest } from './http-call.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function hostile(misbehave: Misbehaviour): Promise<string> {
  const server = await startHostileServer(misbehave)
  stops.push(server.stop)
  return server.url
}

const timeoutMs = 60_000
const get = (url: string, options: Partial<HttpCall> = {}): Promise<CallResult> =>
  sendRequest({ method: 'GET', url, timeoutMs, ...options })

test('returns status, headers and body, and sends the given request', async () => {
  let received = ''
  const url = await hostile((socket, text) => {
    received = text
    socket.end(httpReply(418, 'short and stout', { 'x-pot': 'tea' }))
  })
  const result = await get(`${url}/pot?a=1`, {
    method: 'POST',
    headers: { 'content-type': 'text/x-order' },
    body: 'a cup',
  })
  expect(result).toMatchObject({ kind: 'answered', status: 418, body: 'short and stout' })
  expect(result.kind === 'answered' && result.headers['x-pot']).toBe('tea')
  expect(received).toContain('POST /pot?a=1 HTTP/1.1')
  expect(received).toContain('content-type: text/x-order')
  expect(received).toMatch(/\r\n\r\na cup$/)
})

test('does not follow a redirect', async () => {
  let visits = 0
  const elsewhere = await hostile((socket) => {
    visits += 1
    socket.end(httpReply(200, ''))
  })
  const url = await hostile((socket) =>
    socket.end(httpReply(302, '', { location: `${elsewhere}/` })),
  )
  expect(await get(url)).toMatchObject({ kind: 'answered', status: 302 })
  expect(visits).toBe(0)
})

test('accepts a reply at the size limit and refuses one more byte', async () => {
  const exact = await hostile((socket) => socket.end(httpReply(200, 'x'.repeat(maxReplyBytes))))
  const larger = await hostile((socket) =>
    socket.end(httpReply(200, 'x'.repeat(maxReplyBytes + 1))),
  )
  expect(await get(exact)).toMatchObject({ kind: 'answered', status: 200 })
  expect(await get(larger)).toMatchObject({ kind: 'cut-short', status: 200, why: 'too-large' })
})

const compressed = (body: Buffer | string, encoding: string, status = 200) => {
  const head = httpReply(status, '', {
    'content-encoding': encoding,
    'content-length': String(Buffer.byteLength(body)),
  })
  return hostile((socket) => socket.end(Buffer.concat([Buffer.from(head), Buffer.from(body)])))
}

/** 30 KB that hardly compress, so that a cut reply ends within them. */
const long = Array.from({ length: 3000 }, (_, at) => (Math.sin(at) * 1e9).toFixed(0)).join()

describe.each([
  ['gzip', gzipSync],
  ['X-GZip', gzipSync],
  ['deflate', deflateSync],
  [' BR ', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('a reply in %s', (encoding, compress) => {
  test('is read, although the request asked for another encoding', async () => {
    const url = await compressed(compress('a “word”'), encoding)
    const headers = { 'accept-encoding': 'identity' }
    for (const options of [{ headers }, { keepBytes: 100 }]) {
      expect(await get(url, options)).toMatchObject({ kind: 'answered', body: 'a “word”' })
    }
  })

  test('is too large if it is too large when decompressed', async () => {
    const url = await compressed(compress('x'.repeat(maxReplyBytes + 1)), encoding)
    expect(await get(url)).toMatchObject({ kind: 'cut-short', status: 200, why: 'too-large' })
    const bomb = await compressed(compress('x'.repeat(1024 * 1024)), encoding)
    expect(await get(bomb, { keepBytes: 4096 })).toMatchObject({
      kind: 'answered',
      body: 'x'.repeat(4096),
    })
  })

  test('shows no more than its start, and never its bytes', async () => {
    const result = await get(await compressed(compress(long), encoding), { keepBytes: 4096 })
    if (result.kind !== 'answered') throw new Error(result.kind)
    expect([long.slice(0, 4096), long.slice(0, result.body.length)]).toContain(result.body)
  })
})

test.each(['compress', 'gzip, br', 'aes128gcm', '__proto__'])(
  'a reply in %s is shown as compressed, without its bytes',
  async (encoding) => {
    const url = await compressed('\u001f\u009d\u0090raw', encoding, 500)
    for (const options of [{}, { keepBytes: 4096 }]) {
      const answer = { kind: 'answered', status: 500, body: '(compressed reply)' }
      expect(await get(url, options)).toMatchObject(answer)
    }
  },
)

test('an empty reply that names an encoding is a whole reply', async () => {
  const url = await compressed('', 'gzip')
  expect(await get(url)).toMatchObject({ kind: 'answered', body: '' })
  expect(await get(url, { keepBytes: 10 })).toMatchObject({ kind: 'answered', body: '' })
})

test('a reply without an end is cut at the limit, long before the timeout', async () => {
  const url = await hostile((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(16_384)));
    }
    socket.on('drain', more)
    more()
  })
  const result = await get(url)
  expect(result).toMatchObject({ kind: 'cut-short', why: 'too-large' })
})

test.each<[string, Misbehaviour, Partial<Record<string, unknown>>]>([
  [
    'a reset before the reply may have been sent',
    (socket) => socket.resetAndDestroy(),
    { kind: 'no-answer', why: 'connection', maybeSent: true, code: 'ECONNRESET' },
  ],
  [
    'a connection closed before the reply may have been sent',
    (socket) => socket.end(),
    { kind: 'no-answer', why: 'connection', maybeSent: true, code: 'UND_ERR_SOCKET' },
  ],
  [
    'a reply that is no HTTP may have been sent',
    (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
    { kind: 'no-answer', why: 'connection', maybeSent: true },
  ],
  [
    'a body that breaks off is cut short',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"sta'),
    { kind: 'cut-short', status: 200, why: 'connection' },
  ],
  [
    'a body that is not in the encoding it says is cut short',
    (socket) => socket.end(httpReply(200, 'plain', { 'content-encoding': 'gzip' })),
    { kind: 'cut-short', status: 200, why: 'connection' },
  ],
])('%s', async (_, misbehave, expected) => {
  expect(await get(await hostile(misbehave))).toMatchObject(expected)
})

test('a server that never replies runs into the timeout', async () => {
  const later = stopClock()
  const url = await hostile(() => later(timeoutMs))
  const result = await get(url)
  expect(result).toMatchObject({ kind: 'no-answer', why: 'timeout', maybeSent: true })
})

test('a body that drips runs into the same timeout', async () => {
  const later = stopClock()
  const url = await hostile((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx')
    const drip = setInterval(() => socket.write('x'), 10)
    socket.on('close', () => clearInterval(drip))
  })
  const begun = bodyBegun()
  const result = get(url)
  await begun
  later(timeoutMs)
  expect(await result).toMatchObject({ kind: 'cut-short', status: 200, why: 'timeout' })
})

test('a refused connection: nothing was sent', async () => {
  const server = await startHostileServer(() => {})
  await server.stop()
  expect(await get(server.url)).toEqual({
    kind: 'no-answer',
    why: 'connection',
    maybeSent: false,
    code: 'ECONNREFUSED',
  })
})

test('a server that speaks no TLS: nothing was sent', async () => {
  const url = await hostile((socket) => socket.end(httpReply(200, '')))
  const result = await get(url.replace('http:', 'https:'))
  expect(result).toMatchObject({ kind: 'no-answer', maybeSent: false })
})

test('a call that is stopped before it begins: nothing was sent', async () => {
  let visits = 0
  const url = await hostile(() => {
    visits += 1
  })
  const result = await get(url, { signal: AbortSignal.abort() })
  expect(result).toMatchObject({ kind: 'no-answer', why: 'stopped', maybeSent: false })
  expect(visits).toBe(0)
})

test('a call that is stopped while it connects: nothing was sent', async () => {
  const stopping = new AbortController()
  // The server receives the start of the TLS handshake and never answers it.
  const url = await hostile(() => stopping.abort())
  const result = await get(url.replace('http:', 'https:'), { signal: stopping.signal })
  expect(result).toMatchObject({ kind: 'no-answer', why: 'stopped', maybeSent: false })
})

test('a certificate that is not trusted, or a host that does not exist: nothing was sent', async () => {
  const untrusted = createServer(selfSigned, () => expect.unreachable()).listen(0, '127.0.0.1')
  stops.push(async () => void untrusted.close())
  await once(untrusted, 'listening')
  const { port } = untrusted.address() as AddressInfo
  expect(await get(`https://127.0.0.1:${port}`)).toMatchObject({
    maybeSent: false,
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
  expect(await get('http://nobody.invalid')).toMatchObject({ maybeSent: false })
})

test('a call that is stopped while it waits for the answer: the request may have been sent', async () => {
  const stopping = new AbortController()
  const url = await hostile(() => stopping.abort())
  const result = await get(url, { signal: stopping.signal })
  expect(result).toMatchObject({ kind: 'no-answer', why: 'stopped', maybeSent: true })
})

test('no result contains the key in the URL', async () => {
  const closed = await startHostileServer(() => {})
  await closed.stop()
  const reset = await hostile((socket) => socket.resetAndDestroy())
  for (const url of [closed.url, reset, 'http://[broken']) {
    expect(JSON.stringify(await get(`${url}/?key=SECRET`))).not.toContain('SECRET')
  }
})

// The server offers to keep the connection open for ten minutes. If a kept connection died meanwhile, the next call
// would fail.
test('an idle connection is closed soon, whatever the server offers', async () => {
  const { promise: isClosed, resolve } = Promise.withResolvers<void>()
  const url = await hostile((socket) => {
    socket.on('end', resolve)
    socket.write(httpReply(200, '', { connection: 'keep-alive', 'keep-alive': 'timeout=600' }))
  })
  expect(await get(url)).toMatchObject({ kind: 'answered' })
  await isClosed
})
