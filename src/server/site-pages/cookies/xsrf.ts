import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { parse, serialize } from 'hono/utils/cookie'
import { secureXsrfCookie, xsrfCookie, xsrfHeader } from '#contract/own-api.ts'
import type { OriginOf } from '#server/platform/http/origin.ts'
import { problem } from '#server/platform/http/replies.ts'
import { headOf, type RequestHead } from '#server/platform/http/request-head.ts'
import { isSecure, ownCookies } from './own-cookies.ts'

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * The token that every writing call must repeat in a header. The form's script reads it, so it is not
 * HttpOnly. Over https it is set under two names: one that no neighbouring host of the domain can set, and the one that
 * the own API's contract names.
 */
export function makeXsrf(originOf: OriginOf) {
  /** The cookies, as headers, that a visitor with these cookies lacks: none, some, or as many as `tokenCount`. */
  function missingCookies(origin: string, cookies: string): string[] {
    const missing = ownCookies(origin).tokens.filter((name) => !parse(cookies, name)[name])
    if (missing.length === 0) return []
    // Node draws UUIDs from randomness that it fetches for many at once: fetching 24 bytes took a sixth of a page's time.
    const token = randomUUID()
    return missing.map((name) =>
      serialize(name, token, { path: '/', sameSite: 'Lax', secure: isSecure(origin) }),
    )
  }

  function issueMissing(c: Context): void {
    const head = headOf(c)
    for (const cookie of missingCookies(originOf(head), head.header('cookie') ?? '')) {
      c.header('Set-Cookie', cookie, { append: true })
    }
  }

  return {
    tokenCount: (origin: string): number => ownCookies(origin).tokens.length,
    missingCookies,
    /** Gives whoever reads a page or calls the API a token. */
    issue: createMiddleware(async (c, next) => {
      await next()
      if (isRead(c.req.method)) issueMissing(c)
    }),
    /** Refuses a writing call whose header repeats no token, and gives one: its sender may have cleared the cookies. */
    require: createMiddleware(async (c, next) => {
      if (isRead(c.req.method) || repeatsXsrfToken(headOf(c))) return next()
      issueMissing(c)
      return problem(
        c,
        403,
        `Send the cookie ${xsrfCookie} again in the header ${xsrfHeader}; any page or API GET sets it.`,
      )
    }),
  }
}

export type Xsrf = ReturnType<typeof makeXsrf>

/**
 * Whether the header repeats any token that came along. There may be several: a neighbouring host of the domain can set
 * cookies of our plain name, which the browser then sends beside ours, in an order of its own. It gains nothing by that:
 * no page of another origin may send the header. (Both sides of the comparison are the sender's: there is no secret in
 * it that its time could tell.)
 */
export function repeatsXsrfToken(head: RequestHead): boolean {
  const header = head.header(xsrfHeader.toLowerCase())
  if (!header) return false
  const unquoted = header.replace(/^"(.*)"$/, '$1')
  const isRepeated = (pair: string, name: string): boolean => {
    const token = parse(pair, name)[name]
    // Or letter by letter, as whoever reads a cookie in a simpler way sends it.
    return token === header || token === unquoted || pair.trim() === `${name}=${header}`
  }
  return (head.header('cookie') ?? '')
    .split(';')
    .some((pair) => [secureXsrfCookie, xsrfCookie].some((name) => isRepeated(pair, name)))
}
