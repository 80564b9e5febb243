import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { LRUCache } from 'lru-cache'

type Encoding = 'br' | 'gzip' | 'identity'

interface CachedPage {
  readonly etag: string
  readonly encoded: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Other origins come from proxies that forward another host, or from visitors who make one up. Each takes about 2 MB,
 * and the least recently used one is dropped.
 */
const maxOtherOrigins = 3

/**
 * The best Brotli quality is for the site's own pages, which are cached for long. It takes 50 ms a page, too much for
 * made-up origins.
 */
const ownQuality = 11
const otherQuality = 4

type Pages = Map<string, Promise<CachedPage>>

/**
 * Renders a page that depends only on its address once, and keeps it compressed in memory until `forget`. Callers pass
 * only keys that the server makes up, because their number is not limited. Routes use hono/etag before this cache; it
 * answers 304 to a browser that has the page.
 */
export class PageCache {
  readonly #ownOrigin: string
  readonly #ownPages: Pages = new Map()
  readonly #otherPages = new LRUCache<string, Pages>({ max: maxOtherOrigins })

  /** @param ownOrigin the site's own origin, whose pages stay cached whatever other origins visitors make up */
  constructor(ownOrigin: string) {
    this.#ownOrigin = ownOrigin
  }

  /** @param origin the origin that the page names; a visitor may have made it up */
  async send(
    c: Context,
    origin: string,
    key: string,
    render: () => string,
    status: ContentfulStatusCode = 200,
  ) {
    const page = await this.#get(origin, key, render)
    const encoding = encodingFor(c)
    const etag = `"${page.etag}-${encoding}"`
    c.header('ETag', etag)
    c.header('Vary', 'Accept-Encoding, Sec-GPC')
    // A visit sets cookies, so shared caches must not keep the page. The browser asks again and mostly gets 304.
    c.header('Cache-Control', 'private, no-cache')
    if (encoding !== 'identity') c.header('Content-Encoding', encoding)
    return c.body(page.encoded[encoding], status, { 'content-type': 'text/html; charset=utf-8' })
  }

  forget(): void {
    this.#ownPages.clear()
    this.#otherPages.clear()
  }

  #get(origin: string, key: string, render: () => string): Promise<CachedPage> {
    const isOwn = origin === this.#ownOrigin
    const pages = isOwn ? this.#ownPages : this.#pagesOfOther(origin)
    const known = pages.get(key)
    if (known) return known
    const page = encode(render(), isOwn ? ownQuality : otherQuality)
    pages.set(key, page)
    return page
  }

  #pagesOfOther(origin: string): Pages {
    const pages = this.#otherPages.get(origin) ?? new Map()
    this.#otherPages.set(origin, pages)
    return pages
  }
}

/** Prefers Brotli if the browser accepts it at all, because browsers list gzip first. */
const encodingFor = (c: Context): Encoding =>
  accepts(c, {
    header: 'Accept-Encoding',
    supports: ['br', 'gzip'],
    default: 'identity',
    match: (offered, { supports, default: plain }) =>
      supports.find((encoding) => offered.some(({ type, q }) => type === encoding && q > 0)) ??
      plain,
  }) as Encoding

async function encode(html: string, quality: number): Promise<CachedPage> {
  const identity = new Uint8Array(Buffer.from(html))
  const [br, gz] = await Promise.all([
    brotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    zip(identity, { level: 9 }),
  ])
  return {
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    encoded: { br: new Uint8Array(br), gzip: new Uint8Array(gz), identity },
  }
}
