import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningProduct, startProcess } from './start-process.ts'

let product: RunningProduct
beforeAll(async () => {
  product = await startProcess({
    PIXEL_URL_HEALTHCARE: 'https://pixel.example.net/p.gif?lead={leadId}',
    PIXEL_URL_TECHNOLOGY: '',
  })
})
afterAll(() => product.stop())

const get = (path: string) => fetch(product.url + path)

function policyOf(reply: Response): Map<string, string[]> {
  const policy = reply.headers.get('content-security-policy') ?? ''
  return new Map(
    policy.split(/; */).map((part) => {
      const [name = '', ...sources] = part.split(' ')
      return [name, sources]
    }),
  )
}

describe.each(['/', '/healthcare', '/information/terms-conditions', '/a/b', '/api/programs'])(
  '%s',
  (path) => {
    test('may not be framed, and allows only our own scripts', async () => {
      const reply = await get(path)
      const policy = policyOf(reply)
      expect(policy.get('default-src')).toEqual(["'none'"])
      expect(policy.get('script-src')).toEqual(["'self'", expect.stringMatching(/^'sha256-/)])
      expect(policy.get('connect-src')).toEqual(["'self'"])
      expect(policy.get('form-action')).toEqual(["'self'"])
      expect(policy.get('base-uri')).toEqual(["'none'"])
      expect(policy.get('frame-ancestors')).toEqual(["'none'"])
      expect(policy.get('img-src')).toEqual([
        "'self'",
        'data:',
        'https://pixel.example.net',
        product.sandboxUrl,
      ])
      const { headers } = reply
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
      expect(headers.get('permissions-policy')).toContain('geolocation=()')
      expect(headers.get('x-powered-by')).toBeNull()
      // The product serves plain http, on loopback.
      expect(headers.get('strict-transport-security')).toBeNull()
    })
  },
)

test.each(['/', '/information/terms-conditions', '/a/b'])(
  'the page %s has only scripts and styles that its policy allows',
  async (path) => {
    const reply = await get(path)
    const html = await reply.text()
    const styles = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(
      ([, text = '']) => text,
    )
    expect(styles).not.toHaveLength(0)
    const policy = policyOf(reply)
    expect(policy.get('style-src')).toEqual(expect.arrayContaining(styles.map(sourceOf)))
    expect(html).not.toMatch(/ style="| on\w+="|javascript:/)
    for (const [, attributes = '', text] of html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      // Browsers do not execute these types of scripts.
      if (/type="(application\/(ld\+)?json|speculationrules)"/.test(attributes)) continue
      expect(attributes).toBe('')
      expect(policy.get('script-src')).toContain(sourceOf(text ?? ''))
    }
  },
)

/** A policy's source for inline text. */
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('the 304 has the policy too', async () => {
  const etag = (await get('/')).headers.get('etag') ?? ''
  const reply = await fetch(`${product.url}/`, { headers: { 'if-none-match': etag } })
  expect(reply.status).toBe(304)
  expect(policyOf(reply).get('script-src')).toEqual(["'self'", expect.stringMatching(/^'sha256-/)])
})

test('browsers may cache the form’s script forever, and get it compressed', async () => {
  const html = await (await get('/')).text()
  const src = /data-script="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
  const reply = await fetch(product.url + src, { headers: { 'accept-encoding': 'br' } })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/javascript/)
  expect(reply.headers.get('content-encoding')).toBe('br')
  expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(reply.headers.getSetCookie()).toEqual([])
})

test.each([
  '/assets/../server/main.js',
  '/assets/..%2f..%2fserver/main.js',
  '/assets/%2e%2e/%2e%2e/dist/server/main.js',
  '/.vite/manifest.json',
  '/assets/nothing.js',
])('%s is not served', async (path) => {
  // The path is sent unchanged, because fetch would normalize it.
  const status = await new Promise((resolve, reject) => {
    const { hostname, port } = new URL(product.url)
    const call = request({ hostname, port, path }, (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    })
    call.on('error', reject).end()
  })
  expect(status).toBe(404)
})

test('over https, a landing page has the headers that docs/security.md shows, with HSTS', async () => {
  const pixel = 'https://pixel.example.net/p.gif?lead={leadId}'
  const secure = await startProcess({
    APP_MODE: 'demo',
    SITE_ORIGIN: 'https://enquiry.example.edu',
    PIXEL_URL_HEALTHCARE: pixel,
    PIXEL_URL_TECHNOLOGY: pixel,
    PIXEL_URL_DEFAULT: pixel,
  })
  const { headers } = await fetch(`${secure.url}/business`)
  await secure.stop()
  const ofTheConnection = [
    'connection',
    'content-encoding',
    'content-length',
    'date',
    'etag',
    'keep-alive',
  ]
  const said = [...headers]
    .filter(([name]) => !ofTheConnection.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
    .replaceAll(/(sha256-)[^']+|(XSRF-TOKEN=)[^;]+/g, '$1$2…')
  const page = await readFile(resolve(import.meta.dirname, '../../docs/security.md'), 'utf8')
  expect(/```http\n([\s\S]*?)\n```/.exec(page)?.[1]).toBe(said)
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
})
