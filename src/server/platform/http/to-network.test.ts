import { expect, test } from 'vitest'
import { listSharedNetworks, toNetwork } from './visitor-ip.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1::2:3:4:5', '2001:db8:1:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['', ''],
  ['no address', 'no address'],
])('%s is counted as %s', (ip, network) => {
  expect(toNetwork(ip)).toBe(network)
})

test.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['2001:db8:1:2::5', ['2001:db8:1:2::/64', '2001:db8:1:000::/56', '2001:db8:1::/48']],
  ['2001:db8:1:abcd::5', ['2001:db8:1:abcd::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48']],
  ['2001:db8::5', ['2001:db8:0:0::/64', '2001:db8:0:000::/56', '2001:db8:0::/48']],
])('%s counts toward the limits of %j', (ip, networks) => {
  expect(listSharedNetworks(toNetwork(ip)).map(({ network }) => network)).toEqual(networks)
})
