import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { xsrfCookie } from '#contract/own-api.ts'
import { newXsrfCookie } from './xsrf.ts'

interface ReadyAnswer {
  /** Name and value in turn, as Node takes them, without what differs from visit to visit. */
  readonly headers: readonly string[]
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
    const { pathname, search } = new URL(c.req.url)
    if (!body || c.req.method !== 'GET' || c.res.status !== 200 || search !== '') return
    const headers = [...c.res.headers].filter(([name]) => name !== 'set-cookie')
    if (this.#answers.size >= mostAnswers) this.#answers.clear()
    const { 'accept-encoding': encoding, 'sec-gpc': gpc } = c.req.header()
    this.#answers.set(keyOf(pathname, encoding, gpc), {
      headers: [...headers.flat(), 'content-length', String(body.length)],
      etag: c.res.headers.get('etag') ?? '',
      body,
      until: Date.now() + keptFor,
    })
  }

  /** Answers where it can. False: the answer has to be made. */
  give(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET') return false
    const { 'accept-encoding': encoding, 'sec-gpc': gpc, cookie = '' } = request.headers
    const key = keyOf(request.url ?? '', encoding, gpc)
    const answer = this.#answers.get(key)
    // A browser that asks whether its copy is still good is answered the long way.
    if (!answer || request.headers['if-none-match'] !== undefined) return false
    if (answer.until < Date.now()) return !this.#answers.delete(key)
    const isKnown = cookie.includes(`${xsrfCookie}=`)
    response.writeHead(
      200,
      isKnown
        ? (answer.headers as string[])
        : [...answer.headers, 'set-cookie', newXsrfCookie(this.#isSecure)],
    )
    response.end(answer.body)
    return true
  }
}

const keyOf = (url: string, encoding = '', gpc: string | string[] = ''): string =>
  `${url}\n${encoding}\n${gpc}`
