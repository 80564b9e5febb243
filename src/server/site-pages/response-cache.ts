import type { MiddlewareHandler } from 'hono'
import { isGpc } from '#server/enquiries/new-lead.ts'
import type { NodeHandler } from '#server/platform/http/listen.ts'
import type { OriginOf } from '#server/platform/http/origin.ts'
import { headOf, headOfNode } from '#server/platform/http/request-head.ts'
import type { Xsrf } from './cookies.ts'

interface CachedResponse {
  /** Name and value in turn, as Node takes them, for a visitor who has a token. */
  readonly headers: string[]
  /**
   * The same for one who has none: its cookies are the last entries, set anew for each visitor. (A copy for each cost a
   * fifth of the pages per second.)
   */
  readonly headersWithCookies: string[]
  readonly etag: string
  readonly body: Uint8Array
  /** Epoch milliseconds. */
  readonly until: number
}

/** After this an answer is made anew, so that a page notices the new year. Milliseconds. */
const keptFor = 60_000

/** Addresses and ways to encode there are a few of; more are somebody's who counts. */
const mostResponses = 256

/**
 * The cached pages' answers, whole: of a page's 180 µs the way through a Request, a Response and a
 * dozen of header calls takes all but 30. Node itself replays captured responses.
 */
export class ResponseCache {
  /** Another one as soon as what is kept no longer holds. */
  #responses = new Map<string, CachedResponse>()
  readonly #xsrf: Pick<Xsrf, 'tokenCount' | 'missingCookies'>
  readonly #originOf: OriginOf

  constructor(xsrf: Pick<Xsrf, 'tokenCount' | 'missingCookies'>, originOf: OriginOf) {
    this.#xsrf = xsrf
    this.#originOf = originOf
  }

  /** Takes down the answers whose page says, in `c.var.readyBody`, that it depends on the address alone. */
  readonly capture: MiddlewareHandler<{ Variables: { readyBody?: Uint8Array } }> = async (
    c,
    next,
  ) => {
    const responses = this.#responses
    await next()
    const body = c.get('readyBody')
    if (!body || c.req.method !== 'GET' || c.res.status !== 200) return
    const { pathname, search } = new URL(c.req.url)
    if (search !== '') return
    const headers = [...c.res.headers].filter(([name]) => name !== 'set-cookie').flat()
    headers.push('content-length', String(body.length))
    if (responses.size >= mostResponses) responses.clear()
    const { 'accept-encoding': encoding, 'sec-gpc': gpc } = c.req.header()
    const origin = this.#originOf(headOf(c))
    // A response begun before a `forget` is dropped with the others.
    responses.set(keyOf(origin, pathname, encoding, gpc), {
      headers,
      headersWithCookies: [
        ...headers,
        ...Array.from({ length: this.#xsrf.tokenCount(origin) }, () => ['set-cookie', '']).flat(),
      ],
      etag: c.res.headers.get('etag') ?? '',
      body,
      until: Date.now() + keptFor,
    })
  }

  forget(): void {
    this.#responses = new Map()
  }

  readonly replay: NodeHandler = (request, response) => {
    if (request.method !== 'GET') return false
    const { 'accept-encoding': encoding, 'sec-gpc': gpc, cookie = '' } = request.headers
    const origin = this.#originOf(headOfNode(request))
    const key = keyOf(origin, request.url ?? '', encoding, gpc)
    const cached = this.#responses.get(key)
    // A browser that asks whether its copy is still good is answered the long way.
    if (!cached || request.headers['if-none-match'] !== undefined) return false
    if (cached.until < Date.now()) return !this.#responses.delete(key)
    const headers = this.#headersFor(cached, origin, cookie)
    if (headers === undefined) return false
    response.writeHead(200, headers)
    response.end(cached.body)
    return true
  }

  /**
   * Undefined for a visitor who has lost some of the cookies: that is rare, and the router repairs
   * it.
   */
  #headersFor({ headers, headersWithCookies }: CachedResponse, origin: string, cookie: string) {
    const missing = this.#xsrf.missingCookies(origin, cookie)
    if (missing.length === 0) return headers
    if (missing.length < this.#xsrf.tokenCount(origin)) return undefined
    for (const [index, value] of missing.entries()) {
      headersWithCookies[headers.length + 2 * index + 1] = value
    }
    return headersWithCookies
  }
}

const keyOf = (
  origin: string,
  url: string,
  encoding = '',
  gpc: string | string[] | undefined,
): string => `${origin}${url}\n${encoding}\n${isGpc(gpc?.toString())}`
