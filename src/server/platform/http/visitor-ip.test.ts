import { expect, test } from 'vitest'
import { makeVisitorIpFinder } from './visitor-ip.ts'

const proxies = ['10.0.0.0/8', '2001:db8:ffff::/48']

const visitorIp = (remoteAddress: string, forwarded?: string): string =>
  makeVisitorIpFinder(proxies)({
    remoteAddress,
    header: (name) => (name === 'x-forwarded-for' ? forwarded : undefined),
  })

test.each<[string, string | undefined, string]>([
  ['203.0.113.7', undefined, '203.0.113.7'],
  ['::ffff:203.0.113.7', undefined, '203.0.113.7'],
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['10.0.0.5', undefined, '10.0.0.5'],
  ['10.0.0.5', '203.0.113.7', '203.0.113.7'],
  ['10.0.0.5', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['10.0.0.5', '203.0.113.7, 10.0.0.6', '203.0.113.7'],
  ['2001:db8:ffff::1', '2001:db8::7', '2001:db8::7'],
  ['10.0.0.5', '203.0.113.7:50321', '203.0.113.7'],
  ['10.0.0.5', '[2001:db8::7]:50321', '2001:db8::7'],
  ['10.0.0.5', '[2001:db8::7]', '2001:db8::7'],
  ['10.0.0.5', '203.0.113.7, unknown', '10.0.0.5'],
  ['10.0.0.5', '', '10.0.0.5'],
])('from %s, forwarded for %s: %s', (connection, forwarded, ip) => {
  expect(visitorIp(connection, forwarded)).toBe(ip)
})
