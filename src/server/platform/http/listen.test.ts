import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { connectionLimits, listen } from './listen.ts'

/** Milliseconds. No test may take this long, so a test that ends has not waited for this time. */
const never = 3_600_000

const start = () =>
  listen({ fetch: () => new Response('thanks'), host: '127.0.0.1', port: 0, limits: patient })

/** Slow clients are not cut off unless the server is closing. */
const patient = {
  ...connectionLimits,
  http: {
    ...connectionLimits.http,
    headersTimeout: never,
    requestTimeout: never,
    keepAliveTimeout: never,
  },
  idleTimeout: never,
}

test('a request accepted before closing is answered, and then the connection ends', async () => {
  const server = await start()
  const newcomer = connect(server.port, '127.0.0.1')
  await once(newcomer, 'connect')
  server.drain()
  const closed = server.close({ requests: never, newcomers: never })
  // The client sends its request after the server has stopped accepting connections.
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow()
  newcomer.write('POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 0\r\n\r\n')
  const reply = await text(newcomer)
  expect(reply).toMatch(/^HTTP\/1.1 200 OK.*\r\nConnection: close.*thanks/is)
  await closed
})

test('a browser that keeps its connection is not waited for', async () => {
  const server = await start()
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const [reply] = await once(get(`http://127.0.0.1:${server.port}/`, { agent }), 'response')
  expect(reply.headers.connection).toBe('keep-alive')
  await text(reply)
  await server.close({ requests: never })
})

test('an incomplete request is waited for up to the limit', async () => {
  const server = await start()
  const slow = connect(server.port, '127.0.0.1')
  slow.on('error', () => undefined)
  await once(slow, 'connect')
  slow.write('POST / HTTP/1.1\r\nHost: site\r\nContent-Len')
  await (await fetch(`http://127.0.0.1:${server.port}/`)).text()
  await server.close({ requests: 100 })
})
