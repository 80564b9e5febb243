import { afterEach, describe, expect, test, vi } from 'vitest'
import { until } from '#tests/patience/until.ts'
import { rawConnection } from '#tests/product/raw-connection.ts'
import { type ConnectionLimits, connectionLimits, listen } from './listen.ts'

/** Milliseconds. No test takes this long. */
const never = 3_600_000
const patient: ConnectionLimits = {
  http: { ...connectionLimits.http, headersTimeout: never, requestTimeout: never },
  idleTimeout: never,
  maxConnections: 3,
}
const lookingOften = { ...patient.http, connectionsCheckingInterval: 50 }
/** Each set of limits is strict in one respect only, so that a closed connection shows which limit applied. */
const strictLimits = {
  headers: { ...patient, http: { ...lookingOften, headersTimeout: 1000 } },
  wholeRequest: {
    ...patient,
    http: { ...lookingOften, headersTimeout: 1000, requestTimeout: 1000 },
  },
  silence: { ...patient, idleTimeout: 300 },
}

type Answer = (request: Request) => Response | Promise<Response>

let server: Awaited<ReturnType<typeof listen>>
afterEach(() => server.close({ requests: 100 }))

async function start(answer: Answer = () => new Response('well'), more = {}) {
  server = await listen({
    fetch: answer,
    host: '127.0.0.1',
    port: 0,
    limits: patient,
    ...more,
  })
  return `http://127.0.0.1:${server.port}`
}

const head = (lines: string) => `POST /api/leads HTTP/1.1\r\nHost: localhost\r\n${lines}`
const statusLine = (answer: string) => answer.split('\r\n')[0]

describe('deliberately slow clients are cut off, and others are served', () => {
  test('a client that sends its headers slowly', async () => {
    const url = await start(undefined, { limits: strictLimits.headers })
    const slow = await rawConnection(url)
    slow.write(head(''))
    slow.drip('X-Drip: 1\r\n', 20)
    expect(await (await fetch(url)).text()).toBe('well')
    const answer = await slow.answer()
    expect(statusLine(answer)).toBe('HTTP/1.1 408 Request Timeout')
  })

  test('a client that sends its body slowly', async () => {
    const errors: unknown[] = []
    const url = await start(
      (request) =>
        request.method === 'GET'
          ? new Response('well')
          : request.text().then(
              () => new Response('read'),
              (error) => {
                errors.push(error)
                return new Response('cut off', { status: 400 })
              },
            ),
      { limits: strictLimits.wholeRequest },
    )
    const slow = await rawConnection(url)
    slow.write(head('Content-Length: 60000\r\n\r\n'))
    slow.drip('x', 20)
    expect(await (await fetch(url)).text()).toBe('well')
    const answer = await slow.answer()
    expect(statusLine(answer)).toBe('HTTP/1.1 408 Request Timeout')
    await until(() => errors.length === 1)
  })

  test('a client that sends nothing', async () => {
    const silent = await rawConnection(await start(undefined, { limits: strictLimits.silence }))
    expect(await silent.answer()).toMatch(/^(HTTP\/1\.1 408 |$)/)
  })

  test('a client that never reads the answer', async () => {
    const megabyte = Buffer.alloc(1024 * 1024)
    let onCutOff = () => {}
    const cutOff = new Promise<void>((resolve) => {
      onCutOff = resolve
    })
    const endless = () =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(megabyte),
        cancel: () => onCutOff(),
      })
    const clientThatNeverReads = await rawConnection(
      await start(() => new Response(endless()), { limits: strictLimits.silence }),
    )
    clientThatNeverReads.socket.pause()
    clientThatNeverReads.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await cutOff
    clientThatNeverReads.socket.destroy()
  })
})

test('an invalid request gets a matching status', async () => {
  const url = await start()
  const answerTo = async (text: string) => {
    const connection = await rawConnection(url)
    connection.write(text)
    return connection.answer()
  }
  expect(statusLine(await answerTo('no http\r\n\r\n'))).toBe('HTTP/1.1 400 Bad Request')
  // Requests with two lengths, or with a length and chunks, can be smuggled past a proxy.
  for (const lines of [
    'Content-Length: 1\r\nContent-Length: 2\r\n\r\nx',
    'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'X: a\rb\r\n\r\n',
    'X : a\r\n\r\n',
  ]) {
    expect(statusLine(await answerTo(head(lines))), lines).toBe('HTTP/1.1 400 Bad Request')
  }
})

test('foreign cookies of 32 KB are accepted; more get a page that says what to do', async () => {
  const url = await start()
  const open = (kilobytes: number) =>
    fetch(url, { headers: { cookie: `session=${'x'.repeat(kilobytes * 1024 - 8)}` } })
  expect(await (await open(32)).text()).toBe('well')
  for (const kilobytes of [41, 200, 1500]) {
    const reply = await open(kilobytes)
    expect(reply.status, `${kilobytes} KB`).toBe(431)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await reply.text()).toContain('Clear the cookies of this website')
  }
})

test('a client that never ends its headers is cut off after the page', async () => {
  const endless = await rawConnection(await start())
  endless.write(head(''))
  endless.drip(`X: ${'x'.repeat(20_000)}\r\n`, 10)
  expect(await endless.answer()).toContain('Clear the cookies')
})

test('the server refuses connections above the limit, and counts them', async () => {
  const onConnectionRefused = vi.fn<() => void>()
  const url = await start(undefined, { onConnectionRefused })
  const held = [await rawConnection(url), await rawConnection(url), await rawConnection(url)]
  const refused = await rawConnection(url)
  expect(await refused.answer()).toBe('')
  expect(onConnectionRefused).toHaveBeenCalledTimes(1)
  for (const { socket } of held) socket.destroy()
})
