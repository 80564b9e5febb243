import { randomBytes, timingSafeEqual } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { xsrfCookie, xsrfHeader } from '#contract/own-api.ts'
import { problem } from './problem.ts'

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Gives a visitor without one the token that every writing call must repeat in a header (section 7). */
export const issueXsrfToken = (isSecure: boolean) =>
  createMiddleware(async (c, next) => {
    await next()
    if (isRead(c.req.method) && getCookie(c, xsrfCookie) === undefined) {
      // The form's script reads it, so it is not HttpOnly.
      setCookie(c, xsrfCookie, randomBytes(24).toString('base64url'), {
        path: '/',
        sameSite: 'Lax',
        secure: isSecure,
      })
    }
  })

/** Refuses a writing call whose header does not repeat the cookie. */
export const requireXsrfToken = createMiddleware(async (c, next) => {
  if (isRead(c.req.method)) return next()
  const cookie = Buffer.from(getCookie(c, xsrfCookie) ?? '')
  const header = Buffer.from(c.req.header(xsrfHeader) ?? '')
  const isSame =
    cookie.length > 0 && cookie.length === header.length && timingSafeEqual(cookie, header)
  return isSame
    ? next()
    : problem(
        c,
        403,
        `Send the cookie ${xsrfCookie} again in the header ${xsrfHeader}; any page or API GET sets it.`,
      )
})
