import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { plainLine } from '#domain/text/plain-line.ts'
import type { OriginOf } from '#server/platform/http/origin.ts'
import { headOf } from '#server/platform/http/request-head.ts'
import { isSecure, ownCookies } from './own-cookies.ts'

const longest = 200

/**
 * The affiliate whom a visitor came from.
 * @param param the query parameter that names it
 */
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

/** A neighbouring host's picture or prefetch of our page is no visit of an affiliate's; browsers say what it is for. */
function isVisit({ req }: Context): boolean {
  const wantedAs = req.header('sec-fetch-dest')
  return (
    (wantedAs === undefined || wantedAs === 'document') && req.header('sec-purpose') === undefined
  )
}

/** A plain line of a sane length; nothing where nothing is left. */
export const cleanSubId = (subId = ''): string | undefined =>
  // Twice: the length may have cut a character in two, and half of one can stand in no cookie.
  plainLine(plainLine(subId).slice(0, longest)) || undefined

/** The parameter's name is matched without regard to case. */
function affiliateIdInAddress(c: Context, param: string): string | undefined {
  const wanted = param.toLowerCase()
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (name.toLowerCase() === wanted) return cleanSubId(value)
  }
  return undefined
}
