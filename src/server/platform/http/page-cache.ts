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
 * The most pages to cache, about 20 MB. Without SITE_ORIGIN, visitors can make up origins, whose pages replace the
 * least recently used pages.
 */
const maxPages = 200

/**
 * Renders a page once for each origin and key, and keeps it compressed in memory until `forget`. Routes put hono/etag
 * before this cache: it answers 304 to a browser that has the page.
 */
export class PageCache {
  readonly #pages = new LRUCache<string, Promise<CachedPage>>({ max: maxPages })

  /** @param fillIn changes the page for this visit alone; it is then compressed again, faster but less. */
  async send(
    c: Context,
    origin: string,
    key: string,
    render: () => string,
    fillIn?: (html: string) => string,
    status: ContentfulStatusCode = 200,
  ) {
    const address = `${origin} ${key}`
    const known = this.#pages.get(address) ?? compressPage(render())
    this.#pages.set(address, known)
    const page = await known
    const encoding = chooseEncoding(c)
    const { etag, body } = fillIn
      ? await encodeOnce(fillIn(Buffer.from(page.encoded.identity).toString()), encoding)
      : { etag: page.etag, body: page.encoded[encoding] }
    c.header('ETag', `"${etag}-${encoding}"`)
    c.header('Vary', 'Accept-Encoding, Sec-GPC')
    // A visit sets cookies, so shared caches must not keep the page. The browser asks again and mostly gets 304.
    c.header('Cache-Control', 'private, no-cache')
    if (encoding !== 'identity') c.header('Content-Encoding', encoding)
    return c.body(body, status, { 'content-type': 'text/html; charset=utf-8' })
  }

  forget(): void {
    this.#pages.clear()
  }
}

/** Prefers Brotli if the browser accepts it at all, because browsers list gzip first. */
const chooseEncoding = (c: Context): Encoding =>
  accepts(c, {
    header: 'Accept-Encoding',
    supports: ['br', 'gzip'],
    default: 'identity',
    match: (offered, { supports, default: plain }) =>
      supports.find((encoding) => offered.some(({ type, q }) => type === encoding && q > 0)) ??
      plain,
  }) as Encoding

async function compressPage(html: string): Promise<CachedPage> {
  const identity = new Uint8Array(Buffer.from(html))
  const [br, gz] = await Promise.all([brotli(identity), zip(identity, { level: 9 })])
  return {
    etag: makeEtag(identity),
    encoded: { br: new Uint8Array(br), gzip: new Uint8Array(gz), identity },
  }
}

/** This quality takes a fortieth of the time of the best, and pages are a tenth larger. */
const quickBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

async function encodeOnce(html: string, encoding: Encoding) {
  const identity = new Uint8Array(Buffer.from(html))
  const body =
    encoding === 'br'
      ? await brotli(identity, quickBrotli)
      : encoding === 'gzip'
        ? await zip(identity)
        : identity
  return { etag: makeEtag(identity), body: new Uint8Array(body) }
}

const makeEtag = (page: Uint8Array): string =>
  createHash('sha256').update(page).digest('base64url').slice(0, 22)
