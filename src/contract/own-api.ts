import type { Field } from '#domain/enquiry/enquiry.ts'

/** Names that the browser and the server both use for the own API. */
export const apiPrefix = '/api'

export const xsrfCookie = 'XSRF-TOKEN'

/** Over https our cookies have names with this before them, which no other host of the domain can set. */
export const hostPrefix = '__Host-'

/** The token's over https. It is set by its plain name too, which the API's contract has. */
export const secureXsrfCookie = hostPrefix + xsrfCookie

export const xsrfHeader = 'X-XSRF-TOKEN'
export const idempotencyHeader = 'Idempotency-Key'

/**
 * A field of the form, and of the API's body, that people do not see: only robots fill it in.
 * Browsers and password managers have nothing to fill in by this name. No question may use this
 * name: every visitor who answered it would be quarantined.
 */
export const honeypotField: Exclude<'remarks', Field> = 'remarks'

/** Carries the affiliate id, the newest that a page's address had, until the tab's browser closes; read by the form when it is sent. */
export const affiliateCookie = 'affiliate-id'

/** Its name over https: what another host set would be another's commission. */
export const secureAffiliateCookie = hostPrefix + affiliateCookie
