import { randomUUID, timingSafeEqual } from 'node:crypto'
import { getCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { parse, serialize } from 'hono/utils/cookie'
import { xsrfCookie, xsrfHeader } from '#contract/own-api.ts'
import { problem } from './problem.ts'
import { headOf, type RequestHead } from './request-head.ts'

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * A fresh token, as the header that sets it. The form's script reads it, so it is not HttpOnly. It is a UUID because
 * Node draws those from randomness that it fetches for many at once: fetching 24 bytes took a sixth of a page's time.
 */
export const newXsrfCookie = (isSecure: boolean): string =>
  serialize(xsrfCookie, randomUUID(), { path: '/', sameSite: 'Lax', secure: isSecure })

/** Gives a visitor without one the token that every writing call must repeat in a header (section 7). */
export const issueXsrfToken = (isSecure: boolean) =>
  createMiddleware(async (c, next) => {
    await next()
    if (isRead(c.req.method) && getCookie(c, xsrfCookie) === undefined) {
      c.header('Set-Cookie', newXsrfCookie(isSecure), { append: true })
    }
  })

export function repeatsXsrfToken(head: RequestHead): boolean {
  const cookie = Buffer.from(parse(head.header('cookie') ?? '', xsrfCookie)[xsrfCookie] ?? '')
  const header = Buffer.from(head.header(xsrfHeader.toLowerCase()) ?? '')
  return cookie.length > 0 && cookie.length === header.length && timingSafeEqual(cookie, header)
}

/** Refuses a writing call whose header does not repeat the cookie. */
export const requireXsrfToken = createMiddleware(async (c, next) => {
  if (isRead(c.req.method)) return next()
  return repeatsXsrfToken(headOf(c))
    ? next()
    : problem(
        c,
        403,
        `Send the cookie ${xsrfCookie} again in the header ${xsrfHeader}; any page or API GET sets it.`,
      )
})
