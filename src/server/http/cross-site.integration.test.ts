import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ApiVisitor, apiVisitor, cookieOf } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

// Many calls, and other tests beside them.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let product: InProcessProduct
let visitor: ApiVisitor
beforeAll(async () => {
  product = await startInProcess()
  visitor = await apiVisitor(product.url)
})
afterAll(() => product.stop())

const statusOf = async (headers: Record<string, string>, from = visitor) =>
  (await from.post('leads', exampleLead(), { ...newKey(), ...headers })).status

describe('the XSRF token', () => {
  test.each(['/', '/business', '/information/privacy-policy', '/api/programs', '/api/nothing'])(
    'is set by GET %s, for the script to read',
    async (path) => {
      const [cookie = ''] = (await fetch(product.url + path)).headers.getSetCookie()
      expect(cookie).toMatch(/^XSRF-TOKEN=[\w-]{36}; Path=\/; SameSite=Lax$/)
    },
  )

  test('is another one for every visitor, and stays the same for one', async () => {
    const other = await apiVisitor(product.url)
    expect(other.token).not.toBe(visitor.token)
    const again = await visitor.get('programs', { cookie: `XSRF-TOKEN=${visitor.token}` })
    expect(cookieOf(again, 'XSRF-TOKEN')).toBe('')
  })

  test.each<[string, Record<string, string>]>([
    ['an empty header', { 'X-XSRF-TOKEN': '' }],
    ['another token in the header', { 'X-XSRF-TOKEN': 'A'.repeat(32) }],
    ['a part of the token', { 'X-XSRF-TOKEN': 'A' }],
    ['another cookie', { cookie: 'XSRF-TOKEN=other' }],
    ['an empty cookie and an empty header', { cookie: 'XSRF-TOKEN=', 'X-XSRF-TOKEN': '' }],
    ['no cookie', { cookie: 'other=1' }],
  ])('a call with %s is refused', async (_, headers) => {
    const reply = await visitor.post('leads', exampleLead(), { ...newKey(), ...headers })
    expect(reply.status).toBe(403)
    expect(reply.headers.get('content-type')).toBe('application/problem+json')
    expect(await reply.json()).toMatchObject({ status: 403, title: 'Forbidden' })
  })

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s to any path needs it', async (method) => {
    for (const path of ['leads', 'address-validations', 'programs', 'nothing']) {
      const reply = await fetch(`${product.url}/api/${path}`, { method })
      expect(reply.status, path).toBe(403)
    }
  })
})

describe('another site', () => {
  test.each<[string, Record<string, string>]>([
    ['a foreign Origin', { origin: 'https://other.example' }],
    ['the Origin of a sandboxed frame', { origin: 'null' }],
    ['an Origin that is none', { origin: '::' }],
    ['our host under another scheme', { origin: 'ftp://127.0.0.1' }],
    ['a name that begins with ours', { origin: 'http://127.0.0.1.other.example' }],
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ])('%s is refused', async (_, headers) => {
    expect(await statusOf(headers)).toBe(403)
  })

  test('another port of this machine is refused', async () => {
    expect(await statusOf({ origin: product.sandboxUrl })).toBe(403)
  })

  test('may not do by Origin what Sec-Fetch-Site forbids', async () => {
    expect(await statusOf({ origin: product.url, 'sec-fetch-site': 'cross-site' })).toBe(403)
  })
})

test('our own pages may call', async () => {
  expect(await statusOf({ origin: product.url, 'sec-fetch-site': 'same-origin' })).toBe(201)
})

test('in demo mode the site may be called localhost too', async () => {
  const url = product.url.replace('127.0.0.1', 'localhost')
  const local = await apiVisitor(url)
  expect(await statusOf({ origin: url }, local)).toBe(201)
  expect(await statusOf({ origin: 'http://localhost:1' }, local)).toBe(403)
})

test('a public site takes its own origin alone, whatever Host says, and sends the token over https only', async () => {
  const site = await startInProcess({ SITE_ORIGIN: 'https://enquiry.example.edu' })
  const [cookie] = (await fetch(site.url)).headers.getSetCookie()
  expect(cookie).toMatch(/; Secure/)
  const cookies = (await fetch(`${site.url}/?affid=partner-7`)).headers.getSetCookie()
  // What browsers ask of such a name: https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-__host-prefix
  expect(cookies).toContain('__Host-affiliate-id=partner-7; Path=/; Secure; SameSite=Lax')
  const caller = await apiVisitor(site.url)
  expect(await statusOf({ origin: 'https://enquiry.example.edu' }, caller)).toBe(201)
  expect(await statusOf({ origin: site.url }, caller)).toBe(403)
  await site.stop()
})
