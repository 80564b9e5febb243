import { expect, test, vi } from 'vitest'
import { makeVisitorIpFinder } from '#server/platform/http/visitor-ip.ts'
import { makeNetworkFinder } from './rate-limits.ts'

function networkOf(
  connection: string,
  { forwarded, trusted = [] }: { forwarded?: string; trusted?: string[] } = {},
) {
  const onUndeclaredProxy = vi.fn<() => void>()
  const limitedNetwork = makeNetworkFinder(makeVisitorIpFinder(trusted), onUndeclaredProxy)
  const network = limitedNetwork({
    remoteAddress: connection,
    header: (name) => (name === 'x-forwarded-for' ? forwarded : undefined),
  })
  return { network, isTold: onUndeclaredProxy.mock.calls.length > 0 }
}

const visitor = '203.0.113.7'

test.each([
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '::ffff:127.0.0.1',
  '10.0.0.5',
  '172.18.0.1',
  'fd00::5',
])('a request of %s itself belongs to no network', (ip) => {
  expect(networkOf(ip)).toEqual({ network: undefined, isTold: false })
})

test.each(['127.0.0.1', '10.0.0.5', '::ffff:10.0.0.5', 'fd00::5'])(
  'a visitor through the undeclared proxy %s belongs to no network, and the function reports the proxy',
  (proxy) => {
    expect(networkOf(proxy, { forwarded: visitor })).toEqual({
      network: undefined,
      isTold: true,
    })
  },
)

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', '::1'],
  ['10.0.0.5', '10.0.0.5'],
])(
  'a request from the machine of the declared proxy %s (%s) reports no undeclared proxy',
  (proxy, forwarded) => {
    const trusted = ['127.0.0.1', '::1', '10.0.0.5']
    expect(networkOf(proxy, { forwarded, trusted }).isTold).toBe(false)
  },
)

test('a declared proxy’s visitor is counted by the address that it names', () => {
  const trusted = ['10.0.0.0/8']
  expect(networkOf('10.0.0.5', { forwarded: `1.2.3.4, ${visitor}`, trusted })).toEqual({
    network: visitor,
    isTold: false,
  })
})

test('a declared proxy’s visitor may have a private address', () => {
  const trusted = ['10.0.0.0/24']
  expect(networkOf('10.0.0.5', { forwarded: '10.9.0.7', trusted }).network).toBe('10.9.0.7')
})

test('a direct visitor is counted by the connection, whatever the headers say', () => {
  expect(networkOf(visitor, { forwarded: '127.0.0.1' })).toEqual({
    network: visitor,
    isTold: false,
  })
  expect(networkOf('2001:db8::1').network).toBe('2001:db8:0:0::/64')
})
