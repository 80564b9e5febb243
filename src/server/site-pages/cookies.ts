import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { parse } from 'hono/utils/cookie'
import {
  affiliateCookie,
  hostPrefix,
  secureAffiliateCookie,
  secureXsrfCookie,
  xsrfCookie,
  xsrfHeader,
} from '#contract/own-api.ts'
import { plainLine } from '#domain/text/plain-line.ts'
import type { CookieNames } from '#server/content/placeholders.ts'
import type { OriginOf } from '#server/platform/http/origin.ts'
import { problem } from '#server/platform/http/replies.ts'
import { headOf, type RequestHead } from '#server/platform/http/request-head.ts'

/** The enquiry just stored without JavaScript: its first thank-you page is counted. Scripts never read it. */
const receivedCookie = 'received'

/** Over https, our cookies are sent over https alone, by names that no other host of the domain can set. */
export const isSecure = (origin: string): boolean => origin.startsWith('https:')

/** The names of our cookies in the browsers of a site at this origin. */
export const ownCookies = (origin: string): CookieNames =>
  isSecure(origin)
    ? {
        tokens: [secureXsrfCookie, xsrfCookie],
        affiliate: secureAffiliateCookie,
        received: hostPrefix + receivedCookie,
      }
    : { tokens: [xsrfCookie], affiliate: affiliateCookie, received: receivedCookie }

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * The token that every writing call must repeat in a header. The form's script reads it, so it is not
 * HttpOnly. Over https it is set under two names: one that no neighbouring host of the domain can set, and the one that
 * the own API's contract names.
 */
export function makeXsrf(originOf: OriginOf) {
  function issueMissing(c: Context): void {
    const origin = originOf(headOf(c))
    const token = randomUUID()
    for (const name of ownCookies(origin).tokens) {
      if (getCookie(c, name)) continue
      setCookie(c, name, token, { path: '/', sameSite: 'Lax', secure: isSecure(origin) })
    }
  }

  return {
    /** Sets the token with every page and API reply. */
    issue: createMiddleware(async (c, next) => {
      await next()
      if (isRead(c.req.method)) issueMissing(c)
    }),
    /** Refuses a writing call without the token, and sets one: its sender may have cleared the cookies. */
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
 * Whether the header repeats any of the request's token cookies. A neighboring host of the domain can set one of our plain
 * name beside ours, and gains nothing: no page of another origin may send the header. Both sides of the comparison are the
 * sender's, so its time reveals no secret.
 */
export function repeatsXsrfToken(head: RequestHead): boolean {
  const header = head.header(xsrfHeader.toLowerCase())
  if (!header) return false
  const unquoted = header.replace(/^"(.*)"$/, '$1')
  const isRepeated = (pair: string, name: string): boolean => {
    const token = parse(pair, name)[name]
    // A simpler client sends the cookie's raw text.
    return token === header || token === unquoted || pair.trim() === `${name}=${header}`
  }
  return (head.header('cookie') ?? '')
    .split(';')
    .some((pair) => [secureXsrfCookie, xsrfCookie].some((name) => isRepeated(pair, name)))
}

const maxSubIdLength = 200

/** @param param the query parameter that names the affiliate */
export function makeAffiliate(param: string, originOf: OriginOf) {
  const nameFor = (c: Context) => ownCookies(originOf(headOf(c))).affiliate
  const keptBy = (c: Context) => cleanSubId(getCookie(c, nameFor(c)))
  return {
    /** Keeps the affiliate id in the address of whichever page the visitor sees; a newer one replaces it (reading 25). */
    keep: createMiddleware(async (c, next) => {
      await next()
      const subId = isVisit(c) ? affiliateIdInAddress(c, param) : undefined
      if (subId !== undefined && subId !== keptBy(c)) {
        // The form's script sends it with the lead, so it is not HttpOnly.
        const secure = isSecure(originOf(headOf(c)))
        setCookie(c, nameFor(c), subId, { path: '/', sameSite: 'Lax', secure })
      }
    }),
    /** The affiliate id in the page's address, else the kept one. */
    idOf: (c: Context): string | undefined => affiliateIdInAddress(c, param) ?? keptBy(c),
  }
}

/** A picture or prefetch that another site requests is not a visit; browsers say what a request is for. */
function isVisit({ req }: Context): boolean {
  const wantedAs = req.header('sec-fetch-dest')
  return (
    (wantedAs === undefined || wantedAs === 'document') && req.header('sec-purpose') === undefined
  )
}

/** A plain line of a sane length; nothing where nothing is left. */
export const cleanSubId = (subId = ''): string | undefined =>
  // Twice: the length may have cut a character in two, and half of one can stand in no cookie.
  plainLine(plainLine(subId).slice(0, maxSubIdLength)) || undefined

/** The parameter's name is matched without regard to case. */
function affiliateIdInAddress(c: Context, param: string): string | undefined {
  const wanted = param.toLowerCase()
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (name.toLowerCase() === wanted) return cleanSubId(value)
  }
  return undefined
}

/**
 * Remembers the enquiry that the browser has just posted until its thank-you page comes: that page alone loads the pixel.
 * A reload, another person who opens the address, and a visitor without cookies are not counted.
 */
export function firstThanks(originOf: OriginOf) {
  const cookieFor = (c: Context) => {
    const origin = originOf(headOf(c))
    return { name: ownCookies(origin).received, how: { path: '/', secure: isSecure(origin) } }
  }
  return {
    give: (c: Context, leadId: string): void => {
      const { name, how } = cookieFor(c)
      setCookie(c, name, leadId, { ...how, httpOnly: true, sameSite: 'Lax' })
    },
    /** @returns the lead's id, once */
    take: (c: Context): string | undefined => {
      const { name, how } = cookieFor(c)
      const leadId = getCookie(c, name)
      if (leadId !== undefined) deleteCookie(c, name, how)
      return leadId
    },
  }
}
