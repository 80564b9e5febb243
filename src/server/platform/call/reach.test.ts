import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '#tests/faults/self-signed.ts'
import { freePort } from '#tests/product/free-port.ts'
import { connect, placeOf } from './call.ts'

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const loopback = (port: number, isSecure: boolean) => ({ host: '127.0.0.1', port, isSecure })

test('a listening host is reached and receives nothing', async () => {
  const received: string[] = []
  const left = Promise.withResolvers<void>()
  const port = await portOf(
    createServer((socket) => {
      socket.on('data', (bytes) => received.push(String(bytes)))
      socket.on('close', () => left.resolve())
    }),
  )
  expect(await connect(loopback(port, false), 60_000)).toEqual({ ok: true })
  await left.promise
  expect(received).toEqual([])
})

test('an untrusted certificate is no connection', async () => {
  const port = await portOf(createSecureServer(selfSigned))
  expect(await connect(loopback(port, true), 60_000)).toEqual({
    ok: false,
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
})

test('a host that does not listen, or never answers, is not reached', async () => {
  expect(await connect(loopback(await freePort(), false), 60_000)).toEqual({
    ok: false,
    code: 'ECONNREFUSED',
  })
  const port = await portOf(createServer())
  expect(await connect(loopback(port, true), 50)).toEqual({ ok: false, code: 'timeout' })
})

test.each([
  [
    'https://leads.example.net/in?key=secret',
    { host: 'leads.example.net', port: 443, isSecure: true },
  ],
  ['http://[::1]:8080/', { host: '::1', port: 8080, isSecure: false }],
  ['postgres://user:secret@db/leads', { host: 'db', port: 5432, isSecure: false }],
])('%s leads to %o', (url, place) => expect(placeOf(url, 5432)).toEqual(place))
