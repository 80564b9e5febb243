import type { Field } from '#domain/enquiry/enquiry.ts'

export const apiPrefix = '/api'

export const xsrfCookie = 'XSRF-TOKEN'

/** The prefix of our cookie names over HTTPS: no other host of the domain can set a cookie with this prefix. */
export const hostPrefix = '__Host-'

/** The name of the token's cookie over HTTPS. The server also sets the plain name, which the API's contract requires. */
export const secureXsrfCookie = hostPrefix + xsrfCookie

export const xsrfHeader = 'X-XSRF-TOKEN'
export const idempotencyHeader = 'Idempotency-Key'

/**
 * A field of the form and of the API's body that people do not see; only bots fill it in. Browsers and password managers
 * have nothing to fill in by this name. No question may use this name: every visitor who answered it would be
 * quarantined.
 */
export const honeypotField: Exclude<'remarks', Field> = 'remarks'

/** The session cookie with the newest affiliate id of a page's address; the form reads the cookie when it is sent. */
export const affiliateCookie = 'affiliate-id'

/** The affiliate cookie's name over HTTPS: no other host can set it and so redirect a commission. */
export const secureAffiliateCookie = hostPrefix + affiliateCookie
