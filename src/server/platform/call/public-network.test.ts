import dns from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sendRequest } from './http-call.ts'
import { isPublicAddress } from './public-network.ts'

test.each([
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['fe80::1', false],
  ['fec0::1', false],
  ['fd00::1', false],
  ['::ffff:192.168.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
])('%s is public: %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic))

test('a name with one private address is refused before any connection, looked up only once', async () => {
  let calls = 0
  const server = createServer((_, reply) => {
    calls++
    reply.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const addresses = ['93.184.216.34', '127.0.0.1'].map((address) => ({ address, family: 4 }))
  const lookup = vi.spyOn(dns, 'lookup')
  lookup.mockImplementation(((_: unknown, __: unknown, done: (...found: unknown[]) => void) =>
    done(null, addresses)) as never)
  const call = { method: 'GET', timeoutMs: 5000, isPublicOnly: true } as const
  const refused = { kind: 'no-answer', code: 'NOT_PUBLIC', maybeSent: false }
  expect(await sendRequest({ ...call, url: `https://rebind.example:${port}/` })).toMatchObject(
    refused,
  )
  expect(lookup).toHaveBeenCalledOnce()
  expect(await sendRequest({ ...call, url: `http://rebind.example:${port}/` })).toMatchObject(
    refused,
  )
  expect(await sendRequest({ ...call, url: `https://127.0.0.1:${port}/` })).toMatchObject(refused)
  expect(calls).toBe(0)
})
