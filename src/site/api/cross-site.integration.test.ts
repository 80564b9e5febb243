import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { xsrfCookie, xsrfHeader, xsrfHostCookie } from '#contract/api-constants.ts'
import { readCookie } from '#site/enquiry/read-cookie.ts'
import { type ApiVisitor, apiVisitor, cookieOf } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { postForm, wholeForm } from '#tests/product/posted-form.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

const httpsOrigin = 'https://enquiry.example.edu'

let product: InProcessProduct
let httpsProduct: InProcessProduct
let visitor: ApiVisitor
beforeAll(async () => {
  product = await startInProcess()
  httpsProduct = await startInProcess({ SITE_ORIGIN: httpsOrigin })
  visitor = await apiVisitor(product.url)
})
afterAll(async () => {
  await product.stop()
  await httpsProduct.stop()
})

const statusOf = async (headers: Record<string, string>, from = visitor) =>
  (await from.post('leads', exampleLead(), { ...newKey(), ...headers })).status

describe('the XSRF token', () => {
  test.each(['/', '/business', '/information/privacy-policy', '/api/programs', '/api/nothing'])(
    'is set by GET %s, and scripts can read it',
    async (path) => {
      const [cookie = ''] = (await fetch(product.url + path)).headers.getSetCookie()
      expect(cookie).toMatch(/^XSRF-TOKEN=[\w-]{36}; Path=\/; SameSite=Lax$/)
    },
  )

  test('differs between visitors, and stays the same for one visitor', async () => {
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

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s needs it on every path', async (method) => {
    for (const path of ['leads', 'address-validations', 'programs', 'nothing']) {
      const reply = await fetch(`${product.url}/api/${path}`, { method })
      expect(reply.status, path).toBe(403)
    }
  })
})

describe('a visitor with a cookie of a neighboring host', () => {
  afterEach(() => vi.unstubAllGlobals())

  /** Adds the reply's cookies to a neighboring host's cookies, as the browser then sends them. */
  const cookiesAfter = (neighborCookies: string, reply: Response) =>
    [neighborCookies, ...reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0])].join(
      '; ',
    )

  const neighbours = [
    'XSRF-TOKEN="abc"',
    'XSRF-TOKEN=a%2Fb',
    'XSRF-TOKEN=100%',
    'XSRF-TOKEN=1; XSRF-TOKEN=2',
    'MY-XSRF-TOKEN=1',
    'XSRF-TOKEN-2=1',
    'affiliate-id=100%',
  ]

  test.each(neighbours)('%s gets a valid token, and may post the form', async (neighborCookies) => {
    // The test requests `/` twice, because the second response comes from the cache.
    for (const path of ['/', '/', '/information/terms-conditions', '/?a=b', '/api/start-dates']) {
      const page = await fetch(product.url + path, { headers: { cookie: neighborCookies } })
      const cookie = cookiesAfter(neighborCookies, page)
      vi.stubGlobal('location', new URL(product.url))
      vi.stubGlobal('document', { cookie })
      expect(await statusOf({ cookie, [xsrfHeader]: readCookie(xsrfCookie) ?? '' }), path).toBe(201)
      const posted = await postForm(product.url, wholeForm(), { headers: { cookie } })
      expect(posted.status).toBe(303)
    }
  })

  test.each([...neighbours, 'XSRF-TOKEN=', 'XSRF-TOKEN=a\\b'])(
    '%s has a token over https that no neighboring host can set',
    async (neighborCookies) => {
      for (const path of ['/', '/', '/?a=b', '/api/start-dates']) {
        const page = await fetch(httpsProduct.url + path, { headers: { cookie: neighborCookies } })
        const cookie = cookiesAfter(neighborCookies, page)
        vi.stubGlobal('location', new URL(httpsOrigin))
        vi.stubGlobal('document', { cookie })
        const token = cookieOf(page, xsrfHostCookie)
        expect(readCookie(xsrfCookie)).toBe(token)
        const caller = await apiVisitor(httpsProduct.url)
        const sent = { cookie, [xsrfHeader]: token }
        expect(await statusOf(sent, caller), path).toBe(201)
      }
    },
  )
})

test('a visitor who cleared the cookies is refused once and gets a new token', async () => {
  const refused = await visitor.post('leads', exampleLead(), { ...newKey(), cookie: '' })
  expect(refused.status).toBe(403)
  const token = cookieOf(refused, xsrfCookie)
  expect(await statusOf({ cookie: `XSRF-TOKEN=${token}`, [xsrfHeader]: token })).toBe(201)
})

describe('another site', () => {
  test.each<[string, Record<string, string>]>([
    ['a foreign Origin', { origin: 'https://other.example' }],
    ['the Origin of a sandboxed frame', { origin: 'null' }],
    ['the Origin of a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [
      'no Origin from another host of the domain',
      { origin: 'null', 'sec-fetch-site': 'same-site' },
    ],
    [
      'a foreign Origin that says same-origin',
      { origin: 'https://other.example', 'sec-fetch-site': 'same-origin' },
    ],
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

  test('is refused by Sec-Fetch-Site, whatever its Origin', async () => {
    expect(await statusOf({ origin: product.url, 'sec-fetch-site': 'cross-site' })).toBe(403)
  })
})

test('our own pages may call the API and post the form, even if the browser sends no origin', async () => {
  for (const origin of [product.url, 'null']) {
    const headers = { origin, 'sec-fetch-site': 'same-origin' }
    expect(await statusOf(headers)).toBe(201)
    expect((await postForm(product.url, wholeForm(), { headers })).status).toBe(303)
  }
})

test('in demo mode the site may be called localhost too', async () => {
  const url = product.url.replace('127.0.0.1', 'localhost')
  const local = await apiVisitor(url)
  expect(await statusOf({ origin: url }, local)).toBe(201)
  expect(await statusOf({ origin: 'http://localhost:1' }, local)).toBe(403)
})

test('a public site accepts only its own origin, and its cookies are for https only', async () => {
  // The test requests `/business` twice, because the second response comes from the cache.
  for (const path of ['/business', '/business', '/business?affid=partner-7']) {
    const page = await fetch(httpsProduct.url + path)
    // The requirements of browsers for a `__Host-` cookie:
    // https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-__host-prefix
    const token = cookieOf(page, xsrfHostCookie)
    const cookies = ['__Host-XSRF-TOKEN', 'XSRF-TOKEN'].map(
      (name) => `${name}=${token}; Path=/; Secure; SameSite=Lax`,
    )
    if (path.includes('affid')) {
      cookies.push('__Host-affiliate-id=partner-7; Path=/; Secure; SameSite=Lax')
    }
    expect(page.headers.getSetCookie().sort()).toEqual(cookies.sort())
  }
  const caller = await apiVisitor(httpsProduct.url)
  expect(await statusOf({ origin: httpsOrigin }, caller)).toBe(201)
  expect(await statusOf({ origin: httpsProduct.url }, caller)).toBe(403)
})

test('the privacy policy names every cookie', async () => {
  const path = '/information/privacy-policy?affid=partner-7'
  for (const [{ url }, origin, count] of [
    [product, product.url, 'three'],
    [httpsProduct, httpsOrigin, 'four'],
  ] as const) {
    const page = await fetch(url + path)
    const named = (await page.text()).match(/(__Host-)?(XSRF-TOKEN|affiliate-id|received(?=:))/g)
    const sent = await postForm(url, wholeForm(), { headers: { origin } })
    const set = [page, sent].flatMap(({ headers }) => headers.getSetCookie())
    expect(named?.sort()).toEqual(set.map((cookie) => cookie.split('=')[0]).sort())
    expect(await (await fetch(url + path)).text()).toContain(`at most ${count}`)
  }
})

test.each([
  ['__Host-XSRF-TOKEN=1; XSRF-TOKEN=2', []],
  ['__Host-XSRF-TOKEN=1', ['XSRF-TOKEN']],
  ['XSRF-TOKEN=2', ['__Host-XSRF-TOKEN']],
])('a browser with %s gets the missing cookies: %j', async (cookie, expected) => {
  for (const path of ['/business', '/business', '/business?a=b']) {
    const page = await fetch(httpsProduct.url + path, { headers: { cookie } })
    expect(page.headers.getSetCookie().map((set) => set.split('=')[0])).toEqual(expected)
  }
})
