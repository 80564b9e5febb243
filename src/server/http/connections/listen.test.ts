import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

test('who was let in before the door closed is answered, and then the connection ends', async () => {
  const server = await listen({ fetch: () => new Response('thanks'), host: '127.0.0.1', port: 0 })
  const newcomer = connect(server.port, '127.0.0.1')
  await once(newcomer, 'connect')
  server.drain()
  const closed = server.close({ requests: 1000, newcomers: 500 })
  // Its request is on the way when the door is closed already.
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow()
  newcomer.write('POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 0\r\n\r\n')
  const reply = await text(newcomer)
  expect(reply).toMatch(/^HTTP\/1.1 200 OK.*\r\nConnection: close.*thanks/is)
  await closed
})
