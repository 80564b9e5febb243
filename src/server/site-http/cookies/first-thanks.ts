import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { ownCookies } from './own-cookies.ts'

/**
 * Remembers in the browser whose enquiry it has just posted, until the thanks come: those alone load the pixel. A reload,
 * and whoever else opens their address, is thanked and not counted. Who takes no cookies is not counted either.
 */
export function firstThanks(siteOrigin: string) {
  const name = ownCookies(siteOrigin).received
  const how = { path: '/', secure: siteOrigin.startsWith('https:') }
  return {
    give: (c: Context, leadId: string): void =>
      setCookie(c, name, leadId, { ...how, httpOnly: true, sameSite: 'Lax' }),
    /** @returns the lead's id, once */
    take: (c: Context): string | undefined => {
      const leadId = getCookie(c, name)
      if (leadId !== undefined) deleteCookie(c, name, how)
      return leadId
    },
  }
}
