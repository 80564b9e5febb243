import type { Challenge } from 'altcha-lib/types'
import type { Field } from '#domain/enquiry/answers.ts'

export const apiPrefix = '/api'

export const xsrfCookie = 'XSRF-TOKEN'

/** The prefix of cookie names over HTTPS. Browsers let no other host of the domain set a cookie with this prefix. */
export const hostCookiePrefix = '__Host-'

/** The name of the XSRF cookie over HTTPS. The API's contract requires the plain name, so the server sets both. */
export const xsrfHostCookie = hostCookiePrefix + xsrfCookie

export const xsrfHeader = 'X-XSRF-TOKEN'
export const idempotencyHeader = 'Idempotency-Key'

/**
 * The honeypot field of the form and of the API's body. People don't see the field, so only bots fill it in. Browsers
 * and password managers never fill in a field named `remarks`.
 */
export const honeypotField: Exclude<'remarks', Field> = 'remarks'

/** The name of the buttons that show another area's form with the answers so far. Their values are areas. */
export const areaButton = 'area'

/** The session cookie with the latest affiliate id from a page's URL. The form reads this cookie before sending. */
export const affiliateCookie = 'affiliate-id'

/** The affiliate cookie's name over HTTPS, so that no other host can claim an affiliate's commission. */
export const affiliateHostCookie = hostCookiePrefix + affiliateCookie

/**
 * The field with the attribution, in the form and in the API's body: the first and the last touch as queries, separated
 * by a space. A single touch is both the first and the last. For a direct visit, the field is empty.
 */
export const attributionField = 'attribution'

/** The field with the id of the disclosure that the page shows, in the form and in the API's body. */
export const disclosureField = 'disclosure'

/** The HTML id of the enquiry form, to which fields outside the form element refer. */
export const enquiryFormId = 'enquiry-form'

/** An error response of our own API, in the format `application/problem+json` of RFC 9457. */
export interface Problem {
  /** `about:blank`: the HTTP status describes the kind of problem. */
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors?: readonly FieldProblem[]
  /**
   * ALTCHA's challenge in a 429 response to `POST /api/leads`. The server accepts the enquiry at once if the browser
   * sends it again with the solution.
   */
  readonly challenge?: Challenge
}

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

export const problemContentType = 'application/problem+json'
