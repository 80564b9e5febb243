import type { MiddlewareHandler } from 'hono'
import { xsrfCookie } from '#contract/own-api.ts'
import type { NodeHandler } from './node-handler.ts'
import { isGpc } from './privacy-signal.ts'
import { newXsrfCookie } from './xsrf.ts'

interface CachedResponse {
  /** Name and value in turn, as Node takes them, for a visitor who has a token. */
  readonly headers: string[]
  /**
   * The same for one who gets a token: its cookie is the last entry, set anew for each visitor. (A copy for each cost
   * a fifth of the pages per second.)
   */
  readonly headersWithCookie: string[]
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
 * The cached pages' answers, whole: of a page's 180 µs the way through a Request, a Response and a dozen of header
 * calls takes all but 30. What is captured here is replayed by Node itself.
 */
export class ResponseCache {
  readonly #responses = new Map<string, CachedResponse>()
  readonly #isSecure: boolean

  constructor(isSecure: boolean) {
    this.#isSecure = isSecure
  }

  /** Takes down the answers whose page says, in `c.var.readyBody`, that it depends on the address alone. */
  readonly capture: MiddlewareHandler<{ Variables: { readyBody?: Uint8Array } }> = async (
    c,
    next,
  ) => {
    await next()
    const body = c.get('readyBody')
    if (!body || c.req.method !== 'GET' || c.res.status !== 200) return
    const { pathname, search } = new URL(c.req.url)
    if (search !== '') return
    const headers = [...c.res.headers].filter(([name]) => name !== 'set-cookie').flat()
    headers.push('content-length', String(body.length))
    if (this.#responses.size >= mostResponses) this.#responses.clear()
    const { 'accept-encoding': encoding, 'sec-gpc': gpc } = c.req.header()
    this.#responses.set(keyOf(pathname, encoding, gpc), {
      headers,
      headersWithCookie: [...headers, 'set-cookie', ''],
      etag: c.res.headers.get('etag') ?? '',
      body,
      until: Date.now() + keptFor,
    })
  }

  readonly replay: NodeHandler = (request, response) => {
    if (request.method !== 'GET') return false
    const { 'accept-encoding': encoding, 'sec-gpc': gpc, cookie = '' } = request.headers
    const key = keyOf(request.url ?? '', encoding, gpc)
    const cached = this.#responses.get(key)
    // A browser that asks whether its copy is still good is answered the long way.
    if (!cached || request.headers['if-none-match'] !== undefined) return false
    if (cached.until < Date.now()) return !this.#responses.delete(key)
    response.writeHead(200, this.#headersFor(cached, cookie))
    response.end(cached.body)
    return true
  }

  #headersFor({ headers, headersWithCookie }: CachedResponse, cookie: string): string[] {
    if (cookie.includes(`${xsrfCookie}=`)) return headers
    headersWithCookie[headersWithCookie.length - 1] = newXsrfCookie(this.#isSecure)
    return headersWithCookie
  }
}

const keyOf = (url: string, encoding = '', gpc: string | string[] | undefined): string =>
  `${url}\n${encoding}\n${isGpc(gpc?.toString())}`
