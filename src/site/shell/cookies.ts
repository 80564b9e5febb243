import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { parse } from 'hono/utils/cookie'
import {
  affiliateCookie,
  affiliateHostCookie,
  hostCookiePrefix,
  xsrfCookie,
  xsrfHeader,
  xsrfHostCookie,
} from '#contract/api-constants.ts'
import { parseLinkId, toParamName } from '#domain/lead/attribution.ts'
import type { CookieNames } from '#server/content/placeholders.ts'
import type { OriginFinder } from '#server/platform/http/origin.ts'
import { sendProblem } from '#server/platform/http/replies.ts'
import { type RequestHead, toRequestHead } from '#server/platform/http/request-head.ts'

/** The cookie with the id of an enquiry that was just stored without JavaScript. Scripts never read this cookie. */
const receivedCookie = 'received'

export const isHttpsOrigin = (origin: string): boolean => origin.startsWith('https:')

export const makeCookieNames = (origin: string): CookieNames =>
  isHttpsOrigin(origin)
    ? {
        tokens: [xsrfHostCookie, xsrfCookie],
        affiliate: affiliateHostCookie,
        received: hostCookiePrefix + receivedCookie,
      }
    : { tokens: [xsrfCookie], affiliate: affiliateCookie, received: receivedCookie }

const isSafeMethod = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * Makes the protection against forged requests: each writing API call must repeat the cookie's token in a header. The
 * form's script reads the cookie, so the cookie is not HttpOnly. Over https, two cookies hold the token: `__Host-…`,
 * which no other host can set, and `XSRF-TOKEN`, the name that the specification demands.
 */
export function makeXsrfProtection(findOrigin: OriginFinder) {
  function issueMissing(c: Context): void {
    const origin = findOrigin(toRequestHead(c))
    const token = randomUUID()
    for (const name of makeCookieNames(origin).tokens) {
      if (getCookie(c, name)) continue
      setCookie(c, name, token, { path: '/', sameSite: 'Lax', secure: isHttpsOrigin(origin) })
    }
  }

  return {
    /** Sets the token with the reply to a GET of a page or of the API, unless the browser has one. */
    issue: createMiddleware(async (c, next) => {
      await next()
      if (isSafeMethod(c.req.method)) issueMissing(c)
    }),
    /** Refuses a writing call without the token. Sets a missing token; the visitor may have deleted the cookie. */
    require: createMiddleware(async (c, next) => {
      if (isSafeMethod(c.req.method) || hasMatchingXsrfToken(toRequestHead(c))) return next()
      issueMissing(c)
      return sendProblem(
        c,
        403,
        `Send the value of the cookie ${xsrfCookie} in the header ${xsrfHeader}, too; any page or API GET sets the cookie.`,
      )
    }),
  }
}

/**
 * Returns whether the header repeats any of the request's token cookies. Another host of the domain can set a cookie
 * with our plain name, but its pages cannot send the header. The sender knows the token, so the duration of the
 * comparison reveals no secret.
 */
export function hasMatchingXsrfToken(head: RequestHead): boolean {
  const header = head.header(xsrfHeader.toLowerCase())
  if (!header) return false
  const unquoted = header.replace(/^"(.*)"$/, '$1')
  const hasMatchingToken = (pair: string, name: string): boolean => {
    const token = parse(pair, name)[name]
    // A simple client sends the text of the cookie without decoding it.
    return token === header || token === unquoted || pair.trim() === `${name}=${header}`
  }
  return (head.header('cookie') ?? '')
    .split(';')
    .some((pair) => [xsrfHostCookie, xsrfCookie].some((name) => hasMatchingToken(pair, name)))
}

const maxSubIdLength = 200

/** @param param the query parameter that names the affiliate */
export function makeAffiliateCookie(param: string, findOrigin: OriginFinder) {
  const cookieNameFor = (c: Context) => makeCookieNames(findOrigin(toRequestHead(c))).affiliate
  const readStoredSubId = (c: Context) => normalizeSubId(getCookie(c, cookieNameFor(c)))
  return {
    /** Stores the affiliate id of a page's URL in a cookie; a newer id replaces the earlier id (reading 25). */
    keep: createMiddleware(async (c, next) => {
      await next()
      const subId = isNavigation(c) ? findAffiliateId(c, param) : undefined
      if (subId !== undefined && subId !== readStoredSubId(c)) {
        // The form's script sends the affiliate id with the lead, so the cookie is not HttpOnly.
        const secure = isHttpsOrigin(findOrigin(toRequestHead(c)))
        setCookie(c, cookieNameFor(c), subId, { path: '/', sameSite: 'Lax', secure })
      }
    }),
    /** Returns the affiliate id in the page's URL, or else the id from the cookie. */
    findId: (c: Context): string | undefined => findAffiliateId(c, param) ?? readStoredSubId(c),
  }
}

/** A request for a picture and a prefetch are not visits. Browsers state a request's purpose in its headers. */
function isNavigation({ req }: Context): boolean {
  const destination = req.header('sec-fetch-dest')
  return (
    (destination === undefined || destination === 'document') &&
    req.header('sec-purpose') === undefined
  )
}

/** Cleans an affiliate id; undefined for a placeholder and for an id that is too long, which would name another partner. */
export const normalizeSubId = (subId = ''): string | undefined => parseLinkId(subId, maxSubIdLength)

function findAffiliateId(c: Context, param: string): string | undefined {
  const wanted = param.toLowerCase()
  for (const [name, value] of new URL(c.req.url).searchParams) {
    const subId = toParamName(name) === wanted ? normalizeSubId(value) : undefined
    if (subId !== undefined) return subId
  }
  return undefined
}

/** Remembers a posted enquiry until its thank-you page loads the pixel, so that a reload does not load it again. */
export function makeThankYouCookie(findOrigin: OriginFinder) {
  const cookieFor = (c: Context) => {
    const origin = findOrigin(toRequestHead(c))
    return {
      name: makeCookieNames(origin).received,
      options: { path: '/', secure: isHttpsOrigin(origin) },
    }
  }
  return {
    set: (c: Context, leadId: string): void => {
      const { name, options } = cookieFor(c)
      setCookie(c, name, leadId, { ...options, httpOnly: true, sameSite: 'Lax' })
    },
    /** Returns the lead's id and deletes the cookie, so that a later request gets undefined. */
    consume: (c: Context): string | undefined => {
      const { name, options } = cookieFor(c)
      const leadId = getCookie(c, name)
      if (leadId !== undefined) deleteCookie(c, name, options)
      return leadId
    },
  }
}
