import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { OriginOf } from '#server/platform/http/origin.ts'
import { headOf } from '#server/platform/http/request-head.ts'
import { isSecure, ownCookies } from './own-cookies.ts'

/**
 * Remembers in the browser whose enquiry it has just posted, until the thanks come: those alone load the pixel. A reload,
 * and whoever else opens their address, is thanked and not counted. Who takes no cookies is not counted either.
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
