import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { LRUCache } from 'lru-cache'

type Encoding = 'br' | 'gzip' | 'identity'

interface EncodedPage {
  readonly html: string
  readonly etag: string
  readonly body: Uint8Array<ArrayBuffer>
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * The maximum number of cached pages, about 20 MB. Without SITE_ORIGIN, visitors can invent origins, whose pages
 * replace the least recently used pages.
 */
const maxPages = 200

/**
 * How many pages get Brotli's best quality, which takes about 50 ms of a core for each: enough for the pages of all
 * areas. A stranger who keeps asking for new pages costs only quick compression.
 */
const maxBestPages = 60

/** A Brotli quality that takes a fortieth of the best quality's time and makes pages a tenth larger. */
const quickQuality = 5

/**
 * Renders a page once for each origin, key and encoding, and keeps it compressed in memory until `forget`. Routes also
 * use hono/etag, which answers 304 to a browser that already has the page.
 */
export class PageCache {
  readonly #pages = new LRUCache<string, Promise<EncodedPage>>({ max: maxPages })
  #bestPages = 0

  /** @param fillIn changes the page for one visitor; the changed page is compressed again, faster but less */
  async send(
    c: Context,
    origin: string,
    key: string,
    render: () => string,
    fillIn?: (html: string) => string,
    status: ContentfulStatusCode = 200,
  ) {
    const encoding = chooseEncoding(c)
    const address = `${origin} ${encoding} ${key}`
    const known =
      this.#pages.get(address) ??
      encodePage(
        render(),
        encoding,
        this.#bestPages++ < maxBestPages ? constants.BROTLI_MAX_QUALITY : quickQuality,
      )
    this.#pages.set(address, known)
    const page = await known
    const { etag, body } = fillIn
      ? await encodePage(fillIn(page.html), encoding, quickQuality)
      : page
    c.header('ETag', `"${etag}-${encoding}"`)
    c.header('Vary', 'Accept-Encoding, Sec-GPC')
    // The response may set cookies, so shared caches must not keep it. The browser asks again and mostly gets 304.
    c.header('Cache-Control', 'private, no-cache')
    if (encoding !== 'identity') c.header('Content-Encoding', encoding)
    return c.body(body, status, { 'content-type': 'text/html; charset=utf-8' })
  }

  forget(): void {
    this.#pages.clear()
    this.#bestPages = 0
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

async function encodePage(html: string, encoding: Encoding, quality: number): Promise<EncodedPage> {
  const page = Buffer.from(html)
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const body =
    encoding === 'br'
      ? await brotli(page, { params })
      : encoding === 'gzip'
        ? await zip(page)
        : page
  const etag = createHash('sha256').update(page).digest('base64url').slice(0, 22)
  return { html, etag, body: new Uint8Array(body) }
}
