import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shippedTexts } from '#tests/content/sample-texts.ts'
import { makeRequestSender } from '#tests/faults/odd-requests/send.ts'
import { sitePages } from '#tests/product/site-pages.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

let product: InProcessProduct
beforeAll(async () => {
  product = await startInProcess({
    SITE_ORIGIN: 'https://enquiry.example.edu',
    SCHOOL_NAME: 'Bayview Online University',
    OPERATOR_NAME: 'Harbor Leads',
  })
})
afterAll(() => product.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(product.url + path, { headers })

/** Sends the path unchanged, unlike `fetch`, and follows no redirects. */
const send = (method: string, path: string) =>
  makeRequestSender(product.url)({ method, path, headers: {}, body: '' })

describe.each(sitePages)('the page %s', (path) => {
  test('is HTML, and gets 304 while it is unchanged', async () => {
    const first = await get(path)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    for (const known of [etag, `"old", ${etag}`]) {
      const again = await get(path, { 'if-none-match': known })
      expect(again.status).toBe(304)
      expect(again.headers.get('etag')).toBe(etag)
      expect(await again.text()).toBe('')
    }
    expect((await get(path, { 'if-none-match': '"old"' })).status).toBe(200)
  })

  test('answers HEAD with the same headers and no body', async () => {
    const [read, head] = await Promise.all([
      get(path),
      fetch(product.url + path, { method: 'HEAD' }),
    ])
    expect(head.status).toBe(200)
    expect(head.headers.get('etag')).toBe(read.headers.get('etag'))
    expect(await head.text()).toBe('')
  })

  test('is compressed, with an ETag for each encoding', async () => {
    const tags = new Set<string | null>()
    const texts = new Set<string>()
    for (const [taken, sent] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const reply = await get(path, { 'accept-encoding': taken })
      expect(reply.headers.get('content-encoding'), taken).toBe(sent)
      expect(reply.headers.get('vary'), taken).toContain('Accept-Encoding')
      tags.add(reply.headers.get('etag'))
      texts.add(await reply.text())
    }
    expect(tags.size).toBe(3)
    expect(texts.size).toBe(1)
  })
})

test('the area is read without regard to case, and any other name shows the general page', async () => {
  const text = async (path: string) => (await get(path)).text()
  expect(await text('/HealthCare')).toBe(await text('/healthcare'))
  expect(await text('/Spring-2027')).toBe(await text('/'))
  expect(await text('/healthcare')).not.toBe(await text('/'))
})

test.each([
  ...['/a/b', '/information/nothing', '/information/privacy-policy/x', '/healthcare/x'],
  ...['/wp-login.php', '/.env', '/index.html', '/business_', '/business%20', '/%00', '/%E0%A4%A'],
])('GET and POST of %s get 404', async (path) => {
  for (const method of ['GET', 'POST']) {
    const { status, headers, body } = await send(method, path)
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain('We could not find that page')
  }
})

describe('an address with a slash at its end is the one without', () => {
  test.each([
    ['/business/', '/business'],
    ['/business///', '/business'],
    ['/business/?affid=7&x=/', '/business?affid=7&x=/'],
    ['/anything/', '/anything'],
    ['/information/privacy-policy/', '/information/privacy-policy'],
    ['/a/b/', '/a/b'],
    ['//', '/'],
    ['///?affid=7', '/?affid=7'],
    ['/healthz/', '/healthz'],
    // Paths that a browser could take for another site.
    ['//evil.example/', '/evil.example'],
    ['///evil.example//', '/evil.example'],
    ['/%5Cevil.example/', '/%5Cevil.example'],
    ['/%2F/evil.example/', '/%2F/evil.example'],
    ['/..//evil.example/', '/evil.example'],
    ['/%0d%0aset-cookie:%20a=b/', '/%0d%0aset-cookie:%20a=b'],
  ])('%s: %s', async (path, target) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { status, headers } = await send(method, path)
      expect(status).toBe(308)
      expect(headers.location).toBe(target)
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  test.each(['/', '/?affid=7/'])('but %s is a page', async (path) => {
    expect((await send('GET', path)).status).toBe(200)
  })

  test('but a call of the API with a slash is unknown', async () => {
    const { status, headers } = await send('GET', '/api/programs/')
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/problem+json')
  })
})

test('a known ETag does not turn a missing page into a 304', async () => {
  const etag = (await get('/a/b')).headers.get('etag') ?? ''
  expect((await get('/a/b', { 'if-none-match': etag })).status).toBe(404)
})

test('robots.txt excludes the API and names the sitemap', async () => {
  const reply = await get('/robots.txt')
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(await reply.text()).toBe(
    'User-agent: *\nDisallow: /api/\n\nSitemap: https://enquiry.example.edu/sitemap.xml\n',
  )
})

test('sitemap.xml names every page by its public address', async () => {
  const reply = await get('/sitemap.xml')
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  const named = [...(await reply.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
  expect(named).toEqual(sitePages.map((path) => `https://enquiry.example.edu${path}`))
})

test('llms.txt describes the site and links to every page', async () => {
  const reply = await get('/llms.txt')
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; ?charset=utf-8$/i)
  const text = await reply.text()
  const { areas } = shippedTexts()
  expect(text).toMatch(/^# Bayview Online University\n\n> /)
  expect(text).toContain(areas.general.title)
  expect(text).toContain('Harbor Leads runs this site.')
  expect(text).toContain(
    `- [Business](https://enquiry.example.edu/business): ${areas.business.title}\n`,
  )
  expect(text).toContain(
    `- [Privacy Policy](https://enquiry.example.edu/information/privacy-policy): `,
  )
  expect(text).toContain('- Tuition: about $8,010 tuition per year. That is some $670 a month. ')
  expect(text).toContain('- [M.B.A.](https://enquiry.example.edu/business?program=8)\n')
  expect(text).toContain('- What does it cost? Asking is free, ')
  expect(text).not.toMatch(/<a |&#\d|&amp;|\{/)
  const linked = [...text.matchAll(/^- \[.+\]\((.*?)\): .+$/gm)].map(([, url]) => url)
  expect(linked).toEqual(sitePages.map((path) => `https://enquiry.example.edu${path}`))
})

test.each(['/robots.txt', '/sitemap.xml', '/llms.txt'])(
  '%s is cached for an hour, and gets 304 while it is unchanged',
  async (path) => {
    const { headers } = await get(path)
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    const again = await get(path, { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect(again.headers.get('set-cookie')).toBeNull()
  },
)

test('an affiliate id in the address is stored in a cookie until a newer one replaces it', async () => {
  const cookies = async (path: string, cookie = '', headers = {}) =>
    (await get(path, { cookie, ...headers })).headers.getSetCookie().join()
  expect(await cookies('/business?AffID=partner%207')).toContain('affiliate-id=partner%207;')
  expect(await cookies('/?affid=9', '__Host-affiliate-id=7')).toContain('affiliate-id=9;')
  const long = 'x'.repeat(200)
  expect(await cookies(`/?affid=${long}`)).toContain(`affiliate-id=${long};`)
  const badlyEncoded = '/?affid=&affid={affid}&amp;AFFID=9&affid=8'
  expect(await cookies(badlyEncoded, '__Host-affiliate-id=7')).toContain('affiliate-id=9;')
  for (const path of ['/', '/?affid=', '/?affid=7', '/business', `/?affid=${long}y`]) {
    expect(await cookies(path, '__Host-affiliate-id=7'), path).not.toContain('affiliate-id')
  }
  expect(await cookies('/information/privacy-policy?affid=9')).toContain('affiliate-id=9;')
  // A request from a neighboring host's page is not a visit.
  expect(await cookies('/?affid=9', '', { 'sec-fetch-dest': 'document' })).toContain('affiliate-id')
  for (const notAVisit of [{ 'sec-fetch-dest': 'image' }, { 'sec-purpose': 'prefetch' }]) {
    expect(await cookies('/?affid=9', '', notAVisit)).not.toContain('affiliate-id')
  }
})

describe('a program in the address', () => {
  const chosen = '<input type="hidden" name="programId" value="8"/>'
  const pageAt = async (path: string) => (await get(path)).text()

  test('is selected in the form and named above it, without a link to the current page', async () => {
    const plain = await pageAt('/business')
    const page = await pageAt('/business?program=8')
    expect(plain).not.toContain(chosen)
    expect(plain).toContain('<a href="/business?program=8#request">M.B.A.</a>')
    expect(plain).not.toMatch(/<section[^>]* autofocus=""/)
    expect(page).toContain(chosen)
    expect(page).toContain('You chose M.B.A.: ')
    expect(page).toContain('For: <strong>M.B.A.</strong>')
    expect(page).toContain('<a href="#programs">Change</a>')
    expect(page).toMatch(/<section[^>]* id="request"[^>]* autofocus=""/)
    expect(page).toContain('<span aria-current="page">M.B.A.</span>')
    expect(page).toContain('<link rel="canonical" href="https://enquiry.example.edu/business"/>')
    expect(await pageAt('/?program=8')).toContain(chosen)
    // The page without a chosen program differs from all others, whichever the cache stored first.
    expect(await pageAt('/business')).toBe(plain)
  })

  test.each([
    [
      'another area’s',
      '/business?program=15',
      'B.S. Nursing (RN to BSN)',
      '/healthcare?program=15',
    ],
    [
      'not featured, on the general page',
      '/?program=2',
      'B.S. Healthcare Management',
      '/business?program=2',
    ],
    [
      'of two other areas',
      '/education?program=18',
      'B.S. Health Information Management',
      '/healthcare?program=18',
    ],
  ])('that is %s is named, with a link to its form', async (_, path, name, href) => {
    const page = await pageAt(path)
    expect(page).toContain(`You picked ${name}, one of the programs in`)
    expect(page).toContain(`<a href="${href}#request">Continue with ${name}</a>`)
    expect(page).toMatch(/<section[^>]* id="request"[^>]* autofocus=""/)
    expect(page).not.toContain('For: <strong>')
  })

  test.each([
    ['unknown', '/business?program=999'],
    ['no number', '/business?program=8%00'],
    ['several', '/business?program=8&program=11'],
    ['several of other areas', '/?program=2&program=15'],
  ])('that is %s is not guessed, and the page says so', async (_, path) => {
    const page = await pageAt(path)
    expect(page).toContain('The program in your link is not offered, or your link names several')
    expect(page).not.toContain('For: <strong>')
    expect(page).toContain('name="programId" value=""')
  })

  test.each([
    ['empty', '/business?program=', '/business'],
    ['the same twice', '/business?program=8&program=8', '/business?program=8'],
    ['empty and one', '/business?program=&program=8', '/business?program=8'],
  ])('that is %s is read as one link', async (_, path, same) => {
    const [asked, plain] = await Promise.all([get(path), get(same)])
    expect(asked.status).toBe(200)
    expect(asked.headers.get('etag')).toBe(plain.headers.get('etag'))
  })
})

test('each area lists its programs by degree', async () => {
  const html = await (await get('/education')).text()
  const lists = [...html.matchAll(/<h3>([^<]+)<\/h3><ul>(.*?)<\/ul>/g)]
  expect(lists.map(([, heading, list = '']) => [heading, list.split('<li>').length - 1])).toEqual([
    ['Bachelor’s degrees', 10],
    ['Master’s degrees', 17],
    ['Certificates', 1],
  ])
})

test('the general page links to each area, with its number of programs', async () => {
  const html = await (await get('/')).text()
  for (const [path, name, counts] of [
    ['/business', 'Business', '7 bachelor’s, 7 master’s'],
    ['/education', 'Education', '10 bachelor’s, 17 master’s, 1 certificate'],
    ['/healthcare', 'Healthcare', '5 bachelor’s, 8 master’s'],
    ['/technology', 'Technology', '14 bachelor’s, 4 master’s'],
  ]) {
    expect(html).toContain(
      `<a href="${path}#programs"><strong>${name}</strong> <span>${counts}</span></a>`,
    )
  }
})

test('a legal page leads back to the form of the area that the visitor comes from', async () => {
  const formLink = async (referer: string) => {
    const page = await get('/information/privacy-policy', { referer })
    return /href="([^"]*#request)"/.exec(await page.text())?.[1]
  }
  expect(await formLink(`${product.url}/Business?affid=9`)).toBe('/business#request')
  expect(await formLink(`${product.url}/information/terms-conditions`)).toBe('/#request')
  expect(await formLink('https://other.example/business')).toBe('/#request')
})
