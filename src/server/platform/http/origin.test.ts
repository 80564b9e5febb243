import { expect, test } from 'vitest'
import { makeOriginFinder } from './origin.ts'

const own = 'http://127.0.0.1:3000'
const unset = { siteOrigin: own, isSiteOriginSet: false, mode: 'demo', trustedProxies: [] } as const

const originAt = (
  headers: Readonly<Record<string, string>>,
  remoteAddress = '127.0.0.1',
  settings: Parameters<typeof makeOriginFinder>[0] = unset,
) => makeOriginFinder(settings)({ header: (name) => headers[name], remoteAddress })

const host = 'demo.example.net'

test.each([
  ['only Host', { host: 'localhost:3000' }, 'http://localhost:3000'],
  ['the scheme alone', { host, 'x-forwarded-proto': 'https' }, `https://${host}`],
  [
    'scheme and host',
    { host: 'localhost:3000', 'x-forwarded-proto': 'https', 'x-forwarded-host': host },
    `https://${host}`,
  ],
  [
    'its host after a host that the visitor sent',
    { host, 'x-forwarded-host': `evil.example, ${host}`, 'x-forwarded-proto': 'http, https' },
    `https://${host}`,
  ],
  ['no host', {}, own],
  ['a path instead of a host', { host: 'a/b?c' }, own],
  ['a host with markup', { host: 'a"><b' }, own],
  ['a user name', { host: 'user@demo.example.net' }, own],
])('a proxy on loopback names %s', (_, headers, expected) => {
  expect(originAt(headers)).toBe(expected)
})

const claim = { host: 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-host': host }

test('an untrusted proxy’s header is ignored', () => {
  expect(originAt(claim, '203.0.113.7')).toBe(own)
  expect(originAt(claim, '127.0.0.1', { ...unset, mode: 'production' })).toBe(own)
  const trusting = { ...unset, trustedProxies: ['203.0.113.0/24'] }
  expect(originAt(claim, '203.0.113.7', trusting)).toBe(`https://${host}`)
})

test('SITE_ORIGIN counts, whatever host a proxy names', () => {
  const siteOrigin = 'https://enquiry.example.edu'
  expect(originAt(claim, '127.0.0.1', { ...unset, siteOrigin, isSiteOriginSet: true })).toBe(
    siteOrigin,
  )
})
