import {
  affiliateCookie,
  hostPrefix,
  secureAffiliateCookie,
  secureXsrfCookie,
  xsrfCookie,
} from '#contract/own-api.ts'
import type { CookieNames } from '#server/content/placeholders.ts'

/** Whose enquiry was just stored without JavaScript: its thanks are the first, and are counted. The browser's script never reads it. */
const receivedCookie = 'received'

/** Over https, our cookies are sent over https alone, by names that no other host of the domain can set. */
export const isSecure = (origin: string): boolean => origin.startsWith('https:')

/** What our cookies are called in the browsers of a site at this origin. */
export const ownCookies = (origin: string): CookieNames =>
  isSecure(origin)
    ? {
        tokens: [secureXsrfCookie, xsrfCookie],
        affiliate: secureAffiliateCookie,
        received: hostPrefix + receivedCookie,
      }
    : { tokens: [xsrfCookie], affiliate: affiliateCookie, received: receivedCookie }
