import type { MiddlewareHandler } from 'hono'
import { xsrfCookie } from '#contract/own-api.ts'
import { isGpc } from './privacy-signal.ts'
import type { Shortcut } from './shortcut.ts'
import { newXsrfCookie } from './xsrf.ts'

interface ReadyAnswer {
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
const mostAnswers = 256

/**
 * The cached pages' answers, whole: of a page's 180 µs the way through a Request, a Response and a dozen of header
 * calls takes all but 30. What is recorded here is given again by Node itself.
 */
export class ReadyAnswers {
  readonly #answers = new Map<string, ReadyAnswer>()
  readonly #isSecure: boolean

  constructor(isSecure: boolean) {
    this.#isSecure = isSecure
  }

  /** Takes down the answers whose page says, in `c.var.readyBody`, that it depends on the address alone. */
  readonly record: MiddlewareHandler<{ Variables: { readyBody?: Uint8Array } }> = async (
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
    if (this.#answers.size >= mostAnswers) this.#answers.clear()
    const { 'accept-encoding': encoding, 'sec-gpc': gpc } = c.req.header()
    this.#answers.set(keyOf(pathname, encoding, gpc), {
      headers,
      headersWithCookie: [...headers, 'set-cookie', ''],
      etag: c.res.headers.get('etag') ?? '',
      body,
      until: Date.now() + keptFor,
    })
  }

  readonly give: Shortcut = (request, response) => {
    if (request.method !== 'GET') return false
    const { 'accept-encoding': encoding, 'sec-gpc': gpc, cookie = '' } = request.headers
    const key = keyOf(request.url ?? '', encoding, gpc)
    const answer = this.#answers.get(key)
    // A browser that asks whether its copy is still good is answered the long way.
    if (!answer || request.headers['if-none-match'] !== undefined) return false
    if (answer.until < Date.now()) return !this.#answers.delete(key)
    response.writeHead(200, this.#headersFor(answer, cookie))
    response.end(answer.body)
    return true
  }

  #headersFor({ headers, headersWithCookie }: ReadyAnswer, cookie: string): string[] {
    if (cookie.includes(`${xsrfCookie}=`)) return headers
    headersWithCookie[headersWithCookie.length - 1] = newXsrfCookie(this.#isSecure)
    return headersWithCookie
  }
}

const keyOf = (url: string, encoding = '', gpc: string | string[] | undefined): string =>
  `${url}\n${encoding}\n${isGpc(gpc?.toString())}`
