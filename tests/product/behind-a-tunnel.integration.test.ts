import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wholeForm } from './posted-form.ts'
import { arrivals } from './sandbox-ledger.ts'
import { type InProcessProduct, startInProcess } from './start-in-process.ts'

let product: InProcessProduct
beforeAll(async () => {
  product = await startInProcess()
})
afterAll(() => product.stop())

const publicHost = 'demo.example.net'
const publicOrigin = `https://${publicHost}`

/** Sends a request as a tunnel's agent on this machine would, because `fetch` cannot set Host. */
function ask(path: string, headers: Record<string, string>, body?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    cookies: string[]
    body: string
  }>()
  const call = request(product.url + path, { method: body === undefined ? 'GET' : 'POST', headers })
  call.on('error', reject)
  call.on('response', async (reply) =>
    resolve({
      status: reply.statusCode ?? 0,
      cookies: reply.headers['set-cookie'] ?? [],
      body: await text(reply),
    }),
  )
  call.end(body)
  return promise
}

interface Tunnel {
  readonly sends: string
  readonly secure: boolean
  readonly headers: Readonly<Record<string, string>>
}

const tunnels: readonly Tunnel[] = [
  {
    sends: 'scheme and host',
    secure: true,
    headers: { host: 'localhost', 'x-forwarded-proto': 'https', 'x-forwarded-host': publicHost },
  },
  {
    sends: 'the scheme alone',
    secure: true,
    headers: { host: publicHost, 'x-forwarded-proto': 'https' },
  },
  { sends: 'nothing', secure: false, headers: { host: publicHost } },
]

test.each(tunnels)(
  'page, cookies and post work behind a tunnel that ends TLS and sends $sends',
  async ({ secure, headers }) => {
    // The second answer comes from the page cache.
    for (let visit = 0; visit < 2; visit++) {
      const page = await ask('/business', headers)
      const origin = secure ? publicOrigin : `http://${publicHost}`
      expect(page.body).toContain(`<link rel="canonical" href="${origin}/business"/>`)
      expect(page.cookies.map((cookie) => cookie.split('=')[0])).toEqual(
        secure ? ['__Host-XSRF-TOKEN', 'XSRF-TOKEN'] : ['XSRF-TOKEN'],
      )
      const own = await ask('/business', { host: new URL(product.url).host })
      expect(own.body).toContain(`<link rel="canonical" href="${product.url}/business"/>`)
      expect(own.body).not.toContain(publicHost)
    }
    const form = wholeForm()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(form).toString()
    expect(
      (await ask('/business', { ...headers, ...type, origin: publicOrigin }, body)).status,
    ).toBe(303)
    const [arrival] = await arrivals(product.sandboxUrl, form.email ?? '')
    expect(JSON.stringify(arrival)).toContain(`${secure ? 'https' : 'http'}://${publicHost}/`)
    const foreign = { ...headers, ...type, origin: 'https://other.example' }
    expect((await ask('/business', foreign, body)).status).toBe(403)
  },
)
