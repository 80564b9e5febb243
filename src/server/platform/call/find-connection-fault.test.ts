import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '#tests/faults/self-signed.ts'
import { freePort } from '#tests/product/free-port.ts'
import { findConnectionFault } from './http-call.ts'

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const loopback = (port: number, scheme = 'http') => `${scheme}://127.0.0.1:${port}/in?key=secret`

test('a listening host is reached and receives nothing', async () => {
  const received: string[] = []
  const left = Promise.withResolvers<void>()
  const port = await portOf(
    createServer((socket) => {
      socket.on('data', (bytes) => received.push(String(bytes)))
      socket.on('close', () => left.resolve())
    }),
  )
  expect(await findConnectionFault(loopback(port), 60_000)).toBeUndefined()
  await left.promise
  expect(received).toEqual([])
})

test('an untrusted certificate counts as no connection', async () => {
  const port = await portOf(createSecureServer(selfSigned))
  expect(await findConnectionFault(loopback(port, 'https'), 60_000)).toBe(
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  )
})

test('a host that does not listen, or never answers, is not reached', async () => {
  expect(await findConnectionFault(loopback(await freePort()), 60_000)).toBe('ECONNREFUSED')
  const port = await portOf(createServer())
  expect(await findConnectionFault(loopback(port, 'https'), 50)).toBe('timeout')
})
