import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { affiliateCookie, secureAffiliateCookie } from '#contract/own-api.ts'

const longest = 200

/**
 * The affiliate whom a visitor came from.
 * @param param the query parameter that names it
 */
export function makeAffiliate(param: string, siteOrigin: string) {
  const isSecure = siteOrigin.startsWith('https:')
  const name = isSecure ? secureAffiliateCookie : affiliateCookie
  return {
    /** Keeps the affiliate id of the first page that the visitor sees, whichever page that is. */
    keep: createMiddleware(async (c, next) => {
      await next()
      const subId = affiliateIdInAddress(c, param)
      if (subId !== undefined && getCookie(c, name) === undefined) {
        // The form's script sends it with the lead, so it is not HttpOnly.
        setCookie(c, name, subId, { path: '/', sameSite: 'Lax', secure: isSecure })
      }
    }),
    /** The kept affiliate id, else the one in the page's address (for a visitor who takes no cookies). */
    idOf: (c: Context): string | undefined =>
      cleanSubId(getCookie(c, name)) ?? affiliateIdInAddress(c, param),
  }
}

/** Without control characters and of a sane length; nothing where nothing is left. */
export const cleanSubId = (subId: string | undefined): string | undefined =>
  subId
    ?.replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, longest) || undefined

/** The parameter's name is matched without regard to case (section 1). */
function affiliateIdInAddress(c: Context, param: string): string | undefined {
  const wanted = param.toLowerCase()
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (name.toLowerCase() === wanted) return cleanSubId(value)
  }
  return undefined
}
