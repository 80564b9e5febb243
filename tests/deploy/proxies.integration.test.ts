import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { maxReportBytes } from '#contract/visit-report.ts'
import { maxBodyBytes } from '#server/platform/http/request-body.ts'
import { maxCsvBytes } from '#server/platform/mapped-csv.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { freePort } from '#tests/product/free-port.ts'
import { postForm, wholeForm } from '#tests/product/posted-form.ts'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { startInProcess } from '#tests/product/start-in-process.ts'
import { startCutOffUpstream } from './cut-off-upstream.ts'
import { type RunningProxy, startCaddy, startNginx } from './start-proxy.ts'

test('Caddy and nginx serve the site, hide the monitors’ paths, and ignore a visitor’s forged X-Forwarded-For', async () => {
  const product = await startInProcess({ TRUSTED_PROXIES: '127.0.0.1', IP_LOOKUP_URL: '' })
  onTestFinished(product.stop)
  const port = Number(new URL(product.url).port)
  const upstreams = [port, port]
  const kept = async (starting: Promise<RunningProxy>) => {
    const { origin, stop } = await starting
    onTestFinished(stop)
    return origin
  }
  const claim = { 'x-forwarded-for': '198.51.100.7' }
  const ipAt = async (origin: string) =>
    (await fetch(`${origin}/api/ip-address`, { headers: claim })).json()

  for (const start of [startCaddy, startNginx]) {
    const origin = await kept(start({ upstreams }))
    expect((await fetch(`${origin}/business`)).status).toBe(200)
    for (const path of ['healthz', 'metrics', 'readyz']) {
      expect((await fetch(`${origin}/${path}`)).status, path).toBe(404)
    }
    expect(await ipAt(origin)).toEqual({ IPv4: '127.0.0.1' })
  }
  // In this test, the client is the CDN.
  const behindCdn = await kept(startCaddy({ upstreams, cdnNetworks: '127.0.0.0/8 ::1/128' }))
  expect(await ipAt(behindCdn)).toEqual({ IPv4: '198.51.100.7' })
})

test('behind Caddy and nginx, operators sign in, get live updates, and have their own IP address', async () => {
  const [upstream, port] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  const product = await startInProcess({
    CONSOLE_PORT: String(upstream),
    CONSOLE_ORIGIN: origin,
    TRUSTED_PROXIES: '127.0.0.1',
  })
  onTestFinished(product.stop)
  const site = Number(new URL(product.url).port)
  let cookie = ''
  for (const start of [startCaddy, startNginx]) {
    const proxy = await start({ upstreams: [site, site], console: { upstream, origin } })
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(origin + path, { headers: { cookie, ...headers }, redirect: 'manual' })
    try {
      for (const path of ['healthz', 'metrics', 'readyz']) {
        expect((await ask(`/${path}`)).status, path).toBe(404)
      }
      if (cookie === '') {
        const claim = { 'x-forwarded-for': '198.51.100.7' }
        const reply = await fetch(product.consoleLink, { headers: claim, redirect: 'manual' })
        cookie =
          reply.headers
            .getSetCookie()
            .find((set) => set.startsWith('console='))
            ?.split(';')[0] ?? ''
      }
      const account = await (await ask('/account')).text()
      expect(account).toContain('127.0.0.')
      expect(account).not.toContain('198.51.100')
    } finally {
      await proxy.stop()
    }
  }
})

test('the largest bodies and headers that the product accepts pass through Caddy and nginx', async () => {
  const [upstream, port] = [await freePort(), await freePort()]
  const console = { upstream, origin: `http://127.0.0.1:${port}` }
  const product = await startInProcess({
    CONSOLE_PORT: String(upstream),
    CONSOLE_ORIGIN: console.origin,
    SITE_ORIGIN: siteOrigin,
    TRUSTED_PROXIES: '127.0.0.1',
  })
  onTestFinished(product.stop)
  const site = Number(new URL(product.url).port)
  let admin: SignedIn | undefined
  for (const start of [startCaddy, startNginx]) {
    const proxy = await start({ upstreams: [site, site], console })
    try {
      admin ??= await signIn(product.consoleLink)
      const visitor = await apiVisitor(proxy.origin)
      const lead = JSON.stringify(exampleLead())
      const padded = lead.padEnd(maxBodyBytes - Buffer.byteLength(lead) + lead.length)
      expect((await visitor.post('leads', padded, newKey())).status).toBe(201)
      const form = `${new URLSearchParams(wholeForm())}&filler=`
      const whole = form.padEnd(maxBodyBytes, 'x')
      const headers = { origin: siteOrigin }
      expect((await postForm(proxy.origin, whole, { headers })).status).toBe(303)
      expect((await visitor.post('events', ' '.repeat(maxReportBytes), headers)).status).toBe(204)
      const cookie = `another=${'x'.repeat(32 * 1024 - 8)}`
      expect((await fetch(`${proxy.origin}/business`, { headers: { cookie } })).status).toBe(200)
      const tooMuch = await fetch(proxy.origin, {
        headers: { cookie: cookie + cookie.slice(7777) },
      })
      expect([tooMuch.status, await tooMuch.text()]).toEqual([
        431,
        expect.stringContaining('Clear the cookies'),
      ])

      const file = new File(['reference,date\n'.padEnd(maxCsvBytes, 'x')], 'returns.csv')
      const returns = new FormData()
      const headings = { 'column-lead': 'reference', 'column-date': 'date', 'column-reason': '' }
      for (const [name, value] of admin.form(headings)) returns.set(name, value)
      returns.set('file', file)
      const imported = await fetch(`${console.origin}/returns`, {
        method: 'POST',
        headers: { cookie: admin.cookie, origin: console.origin },
        body: returns,
      })
      expect(imported.status).toBe(422)
      expect(await imported.text()).toContain('Nothing was imported')
    } finally {
      await proxy.stop()
    }
  }
})

/** Resolves with the status of a reply to a request for a host; undefined if the connection was closed instead. */
const statusFor = (origin: string, host: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    request(origin, { headers: { host }, agent: false }, (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    })
      .on('error', () => resolve(undefined))
      .end()
  })

test('nginx serves and redirects known hosts only', async () => {
  const [site, upstream] = [await freePort(), await freePort()]
  for (const port of [site, upstream]) await listen(port, (_, reply) => reply.end('served'))
  const origin = `http://127.0.0.1:${await freePort()}`
  const proxy = await startNginx({ upstreams: [site, site], console: { upstream, origin } })
  onTestFinished(proxy.stop)
  const plain = proxy.plainOrigin ?? ''
  expect(await statusFor(plain, '127.0.0.1')).toBe(308)
  expect(await statusFor(plain, 'console.example.edu')).toBe(308)
  for (const asked of [plain, proxy.origin, origin]) {
    expect(await statusFor(asked, 'stranger.example'), asked).toBeUndefined()
  }
})

const siteOrigin = 'http://127.0.0.1'

describe.each([
  { proxy: 'nginx', start: startNginx, presses: 1 },
  // Caddy 2.6 loses the body of a request that it repeats, so our configuration forbids repeats. The visitor sees an
  // error and submits again.
  { proxy: 'Caddy', start: startCaddy, presses: 2 },
])(
  'behind $proxy, an enquiry whose connection ends without an answer gives one lead after $presses',
  ({ start, presses }) => {
    test.each([
      { cutOff: 'before', when: 'the product has it', status: 201 },
      { cutOff: 'after', when: 'it was stored', status: 200 },
    ] as const)('$cutOff $when', async ({ cutOff, status }) => {
      const product = await startInProcess({ SITE_ORIGIN: siteOrigin, IP_LOOKUP_URL: '' })
      onTestFinished(product.stop)
      const upstream = await startCutOffUpstream(product.url, cutOff)
      onTestFinished(upstream.stop)
      const { origin, stop } = await start({ upstreams: [upstream.port, upstream.port] })
      onTestFinished(stop)
      const press = async (send: () => Promise<Response>) => {
        let reply = await send()
        for (let n = 1; n < presses && reply.status === 502; n++) reply = await send()
        return reply.status
      }

      // From here on the proxy keeps a connection to the product.
      const visitor = await apiVisitor(origin)
      const lead = exampleLead()
      const key = newKey()
      expect(await press(() => visitor.post('leads', lead, key))).toBe(status)
      expect(await arrivals(product.sandboxUrl, lead.lead.email)).toHaveLength(1)
      const form = wholeForm()
      const headers = { origin: siteOrigin }
      expect(await press(() => postForm(origin, form, { headers }))).toBe(303)
      expect(await arrivals(product.sandboxUrl, form.email ?? '')).toHaveLength(1)
      expect(upstream.cutOffs()).toBe(2)
    })
  },
)

const proxies = [
  { name: 'Caddy', start: startCaddy },
  { name: 'nginx', start: startNginx },
]

async function listen(port: number, answer: RequestListener): Promise<void> {
  const server = createServer(answer).listen(port, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
}

test.each(proxies)(
  '$name keeps serving pages while the store is unavailable',
  async ({ start }) => {
    const upstreams = [await freePort(), await freePort()]
    for (const port of upstreams) {
      await listen(port, ({ method, url }, reply) => {
        if (method === 'POST') reply.writeHead(503, { 'retry-after': '5' }).end('what was kept')
        else reply.writeHead(url === '/readyz' ? 503 : 200).end(url)
      })
    }
    const { origin, stop } = await start({ upstreams })
    onTestFinished(stop)
    for (let asked = 0; asked < 4; asked++) {
      expect(await (await fetch(`${origin}/business`)).text()).toBe('/business')
    }
    const refused = await fetch(`${origin}/api/leads`, { method: 'POST', body: '{}' })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.text()).toBe('what was kept')
  },
)

test.each(proxies)(
  '$name logs all requests, also failed ones, without sign-in codes, click ids and affiliates',
  async ({ start }) => {
    const [site, upstream] = [await freePort(), await freePort()]
    for (const port of [site, upstream]) {
      await listen(port, (request, reply) => {
        if (request.method === 'POST') request.socket.destroy()
        else reply.end()
      })
    }
    const origin = `http://127.0.0.1:${await freePort()}`
    const proxy = await start({ upstreams: [site, site], console: { upstream, origin } })
    onTestFinished(proxy.stop)
    const addresses = [
      `${proxy.origin}/business?affid=sesame&gclid=sesame`,
      `${origin}/sign-in?code=sesame`,
      `${origin}/sign-in/invitation?code=sesame`,
      `${origin}/sign-in/oidc/callback?code=sesame&state=sesame`,
    ]
    for (const address of addresses) {
      const headers = { referer: address, cookie: 'console=sesame' }
      expect((await fetch(address, { headers })).status, address).toBe(200)
      expect((await fetch(address, { method: 'POST', headers })).status, address).toBe(502)
    }
    await expect.poll(proxy.logged).toMatch(/oidc.callback.*502|502.*oidc.callback/)
    const logged = await proxy.logged()
    expect(logged).toContain('/sign-in/invitation')
    expect(logged).toContain('/business')
    expect(logged).not.toContain('sesame')
  },
)
