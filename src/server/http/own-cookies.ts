import type { CookieNames } from '#content/legal/legal-page.ts'
import {
  affiliateCookie,
  secureAffiliateCookie,
  secureXsrfCookie,
  xsrfCookie,
} from '#contract/own-api.ts'

/** What our cookies are called in the browsers of a site at this origin. */
export const ownCookies = (siteOrigin: string): CookieNames =>
  siteOrigin.startsWith('https:')
    ? { tokens: [secureXsrfCookie, xsrfCookie], affiliate: secureAffiliateCookie }
    : { tokens: [xsrfCookie], affiliate: affiliateCookie }
