import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

type Encoding = 'br' | 'gzip' | 'identity'

interface CachedPage {
  readonly etag: string
  readonly encoded: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** More come only where SITE_ORIGIN is not set, and a page of theirs is rendered each time it is asked for. */
const mostOrigins = 4

/**
 * Pages that depend on nothing but their address are rendered once and kept, compressed, in memory, until they are
 * forgotten together. Only keys that the server itself makes up may be used: there is no limit to them. Routes have
 * hono/etag before them, which answers 304 to a browser that has the page.
 */
export class PageCache {
  readonly #pages = new Map<string, Promise<CachedPage>>()
  readonly #origins = new Set<string>()

  /** @param origin stands in the page; it may be one that a visitor has made up */
  async send(
    c: Context,
    origin: string,
    key: string,
    render: () => string,
    status: ContentfulStatusCode = 200,
  ) {
    if (this.#origins.size < mostOrigins) this.#origins.add(origin)
    if (!this.#origins.has(origin)) {
      c.header('Cache-Control', 'private, no-cache')
      return c.html(render(), status)
    }
    const page = await this.#get(`${origin} ${key}`, render)
    const encoding = encodingFor(c)
    const etag = `"${page.etag}-${encoding}"`
    c.header('ETag', etag)
    c.header('Vary', 'Accept-Encoding, Sec-GPC')
    // A visit sets cookies, so no shared cache may keep it; the browser asks again, and mostly hears 304.
    c.header('Cache-Control', 'private, no-cache')
    if (encoding !== 'identity') c.header('Content-Encoding', encoding)
    c.set('readyBody', page.encoded[encoding])
    return c.body(page.encoded[encoding], status, { 'content-type': 'text/html; charset=utf-8' })
  }

  forget(): void {
    this.#pages.clear()
  }

  #get(key: string, render: () => string): Promise<CachedPage> {
    const known = this.#pages.get(key)
    if (known) return known
    const page = encode(render())
    this.#pages.set(key, page)
    return page
  }
}

/** Brotli wherever it is taken at all: browsers name gzip first. */
const encodingFor = (c: Context): Encoding =>
  accepts(c, {
    header: 'Accept-Encoding',
    supports: ['br', 'gzip'],
    default: 'identity',
    match: (offered, { supports, default: plain }) =>
      supports.find((encoding) => offered.some(({ type, q }) => type === encoding && q > 0)) ??
      plain,
  }) as Encoding

async function encode(html: string): Promise<CachedPage> {
  const identity = new Uint8Array(Buffer.from(html))
  const [br, gz] = await Promise.all([
    brotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    zip(identity, { level: 9 }),
  ])
  return {
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    encoded: { br: new Uint8Array(br), gzip: new Uint8Array(gz), identity },
  }
}
