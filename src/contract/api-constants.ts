import type { Field } from '#domain/enquiry/enquiry.ts'

export const apiPrefix = '/api'

export const xsrfCookie = 'XSRF-TOKEN'

/** The prefix of our cookie names over HTTPS: no other host of the domain can set a cookie with this prefix. */
export const hostCookiePrefix = '__Host-'

/** The XSRF cookie's name over HTTPS. The server also sets the plain name, which the API's contract requires. */
export const xsrfHostCookie = hostCookiePrefix + xsrfCookie

export const xsrfHeader = 'X-XSRF-TOKEN'
export const idempotencyHeader = 'Idempotency-Key'

/**
 * The honeypot: a field of the form and of the API's body that people don't see, so that only bots fill it in. Browsers and
 * password managers never fill in `remarks`.
 */
export const honeypotField: Exclude<'remarks', Field> = 'remarks'

/** The session cookie with the newest affiliate id from a page's URL. The form reads it when it sends. */
export const affiliateCookie = 'affiliate-id'

/** The affiliate cookie's name over HTTPS: no other host can set it to earn another affiliate's commission. */
export const affiliateHostCookie = hostCookiePrefix + affiliateCookie

/**
 * The field of the form and of the API's body with the attribution: the first and the last touch, each as a query, with
 * a space between. A single touch counts as first and last; for a direct visit the field is empty.
 */
export const attributionField = 'attribution'

/** The id of the enquiry's form, for fields outside of it. */
export const enquiryFormId = 'enquiry-form'
