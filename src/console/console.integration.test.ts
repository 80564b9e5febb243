import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askRaw } from '#tests/console/ask-raw.ts'
import { openConsole, type SignedIn, signIn, visitor } from '#tests/console/console-visitor.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

let product: InProcessProduct
let consoleOrigin: string
let admin: SignedIn
beforeAll(async () => {
  product = await startInProcess({ TRUSTED_PROXIES: '127.0.0.1' })
  consoleOrigin = openConsole(product)
  admin = await signIn(product.consoleLink)
})
afterAll(() => product.stop())

/** Lists every address of the console, with a sample value for each parameter. */
const addresses = () =>
  product.consoleRoutes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, 'x') }))

const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

const isOpen = (path: string) => /^\/(sign-in|healthz$|readyz$|metrics$)/.test(path)

test('without a session every page leads to the sign-in, and every call is refused', async () => {
  const guarded = addresses().filter(({ path }) => !isOpen(path))
  expect(guarded.length).toBeGreaterThan(1)
  for (const { method, path } of [...guarded, { method: 'GET', path: '/nowhere' }]) {
    const reply = await fetch(consoleOrigin + path, { method, redirect: 'manual' })
    const isPage = method === 'GET' && !path.startsWith('/api/')
    expect(reply.status, `${method} ${path}`).toBe(isPage ? 303 : 401)
    expect(reply.headers.get('location'), `${method} ${path}`).toBe(isPage ? '/sign-in' : null)
    expect(await reply.text()).not.toContain('Overview')
  }
})

test('the site’s port never serves the console', async () => {
  for (const { path } of addresses().filter(
    ({ path }) => !/^\/(healthz|readyz|metrics|)$/.test(path),
  )) {
    const reply = await fetch(product.url + path, { headers: { cookie: admin.cookie } })
    expect(await reply.text(), path).not.toContain('Campus Enquiry console')
  }
})

describe('the link printed at start', () => {
  test('signs in once', async () => {
    const again = await fetch(product.consoleLink, { redirect: 'manual' })
    expect(again.status).toBe(403)
    expect(await again.text()).toContain('This link has already been used')
    const page = await admin.get('/')
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<h1>Overview</h1>')
  })

  test('is not used up by a prefetch or by another site’s link', async () => {
    const other = await startInProcess()
    try {
      for (const [name, value] of [
        ['sec-purpose', 'prefetch'],
        ['sec-fetch-site', 'cross-site'],
      ] as const) {
        const reply = await askRaw(other.consoleLink, { ...navigation, [name]: value })
        expect(reply.text).toContain('This link signs you in once.')
      }
      await fetch(other.consoleLink, { method: 'HEAD' })
      expect((await (await signIn(other.consoleLink)).get('/')).status).toBe(200)
    } finally {
      await other.stop()
    }
  })
})

describe('only the console’s own pages can make requests that write', () => {
  const own = () => ({ ...admin.headers, origin: consoleOrigin, 'sec-fetch-site': 'same-origin' })
  const post = (headers: Record<string, string>, body = admin.form({})) =>
    fetch(`${consoleOrigin}/sign-out`, { method: 'POST', headers, body, redirect: 'manual' })

  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [
      'another port of the same machine',
      { origin: 'http://127.0.0.1:9', 'sec-fetch-site': 'same-site' },
    ],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['who does not say where it comes from', { origin: '' }],
  ])('refuses a form on %s', async (_, foreign) => {
    expect((await post({ ...own(), ...foreign })).status).toBe(403)
    expect((await admin.get('/')).status).toBe(200)
  })

  test('refuses the console’s own form under another address, and names CONSOLE_ORIGIN', async () => {
    const refused = await post({ ...own(), origin: 'https://tunnel.example.net' })
    expect(refused.status).toBe(403)
    const pageText = await refused.text()
    expect(pageText).toContain(`This console accepts forms only from ${consoleOrigin}`)
    expect(pageText).toContain('set CONSOLE_ORIGIN to that URL')
  })

  test('refuses a malformed form, which has no token', async () => {
    const guest = await visitor(openConsole(product))
    const body = '--x\r\nno header'
    const headers = {
      cookie: guest.cookie,
      origin: guest.origin,
      'content-type': 'multipart/form-data; boundary=x',
    }
    const reply = await fetch(`${guest.origin}/sign-in/link`, { method: 'POST', headers, body })
    expect(reply.status).toBe(403)
    expect(await reply.text()).toContain('You signed in again after this page was opened.')
  })

  test('refuses a form without the token or with a wrong one', async () => {
    for (const form of [new URLSearchParams(), new URLSearchParams({ token: 'x'.repeat(43) })]) {
      const refused = await post(own(), form)
      expect(refused.status).toBe(403)
      expect(await refused.text()).toContain('You signed in again after this page was opened.')
    }
    expect((await admin.get('/')).status).toBe(200)
  })

  test.each(['no-cors', 'cors', 'same-origin', 'websocket', 'navigate'])(
    'another page can’t fetch or embed it with the mode %s',
    async (mode) => {
      for (const site of ['cross-site', 'same-site']) {
        const reply = await askRaw(`${consoleOrigin}/`, {
          cookie: admin.cookie,
          'sec-fetch-site': site,
          'sec-fetch-mode': mode,
          'sec-fetch-dest': 'iframe',
        })
        expect(reply.status).toBe(403)
      }
    },
  )

  test('a link from another site opens its page', async () => {
    const reply = await askRaw(`${consoleOrigin}/`, {
      cookie: admin.cookie,
      'sec-fetch-site': 'cross-site',
      ...navigation,
    })
    expect(reply.status).toBe(200)
  })

  test('a foreign name that resolves to this machine is refused', async () => {
    const { port } = new URL(consoleOrigin)
    for (const host of [
      `evil.example:${port}`,
      'evil.example',
      '127.0.0.1',
      `127.0.0.1.evil.example:${port}`,
      `localhost:${port}`,
    ]) {
      expect(await askRaw(`${consoleOrigin}/`, { host, cookie: admin.cookie }), host).toMatchObject(
        {
          status: 421,
        },
      )
    }
  })
})

test('an address with U+0000 is refused on both databases', async () => {
  for (const path of ['/leads?error=a%00b', '/audit?subject=%00']) {
    expect((await admin.get(path)).status, path).toBe(400)
  }
})

test('a malformed form is refused, and the log has no error', async () => {
  const reply = await fetch(`${consoleOrigin}/sign-in`, {
    method: 'POST',
    headers: {
      cookie: admin.cookie,
      origin: consoleOrigin,
      'content-type': 'multipart/form-data; boundary=X',
    },
    body: '--X\r\nno form',
  })
  expect(reply.status).toBe(403)
})

test('serves metrics to monitors, but not under names that a web page can have', async () => {
  const { port } = new URL(consoleOrigin)
  const metrics = async (host: string) => askRaw(`${consoleOrigin}/metrics`, { host })
  const before = (await metrics(`console:${port}`)).text
  expect(before).toMatch(/^store_up 1$/m)
  expect(before).toMatch(/^process_cpu_seconds_total \d/m)
  expect((await metrics(`evil.example:${port}`)).status).toBe(421)
  // Without a proxy in front, the console itself keeps strangers out, who can send any host name.
  for (const ip of ['203.0.113.9', '2001:db8::9']) {
    const headers = { host: `127.0.0.1:${port}`, 'x-forwarded-for': ip }
    expect((await askRaw(`${consoleOrigin}/metrics`, headers)).status, ip).toBe(421)
  }

  const refused = (text: string) =>
    Number(/console_sign_ins_refused_total\{reason="refused"\} (\d+)/.exec(text)?.[1])
  await fetch(`${consoleOrigin}/sign-in?code=spent`)
  expect(refused((await metrics(`127.0.0.1:${port}`)).text)).toBe(refused(before) + 1)
})

test('pages are not cached, and scripts can’t read the cookie', async () => {
  const page = await admin.get('/')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(admin.setCookie).toMatch(/HttpOnly/)
  expect(admin.setCookie).toMatch(/SameSite=Lax/)
})

test('after a sign-out the secret is invalid', async () => {
  const link = await startInProcess()
  try {
    const operator = await signIn(link.consoleLink)
    const reply = await operator.post('/sign-out')
    expect(reply.headers.get('location')).toBe('/sign-in')
    expect((await operator.get('/')).status).toBe(303)
  } finally {
    await link.stop()
  }
})

test('the sign-in leads to the requested page', async () => {
  const other = await startInProcess()
  try {
    const first = await fetch(`${openConsole(other)}/audit?x=1`, { redirect: 'manual' })
    const wanted = first.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('console-wanted'))
    const cookie = wanted?.split(';')[0] ?? ''
    const reply = await fetch(other.consoleLink, { redirect: 'manual', headers: { cookie } })
    expect(reply.headers.get('location')).toBe('/audit?x=1')
  } finally {
    await other.stop()
  }
})
