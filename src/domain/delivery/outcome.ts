/**
 * What one attempt to hand a lead to the distributor came to. Classified once, by the distributor's client;
 * everything after it reads the name only.
 */
export type AttemptOutcome =
  /** The distributor has taken the lead. */
  | { readonly name: 'delivered'; readonly httpStatus: number }
  /** It has read the lead and will not have it: asking again would not help. */
  | {
      readonly name: 'rejected'
      readonly httpStatus: number
      readonly reasons: readonly string[]
      readonly cause?: RejectionCause
    }
  /** It asks us to come back: 408, 429, 503. `retryAfterMs` is what its Retry-After says, in milliseconds from now. */
  | { readonly name: 'busy'; readonly httpStatus: number; readonly retryAfterMs?: number }
  /** It answered with something that is not its contract, or with a server error, which may say when to come back. */
  | {
      readonly name: 'broken'
      readonly httpStatus: number
      readonly detail: string
      readonly retryAfterMs?: number
    }
  /** It refuses us, not the lead: address, key or path are wrong on our side (401, 403, 404). */
  | { readonly name: 'refused'; readonly httpStatus: number; readonly detail: string }
  /** The request did not reach it. */
  | { readonly name: 'unreachable'; readonly detail: string }
  /** The request was sent and no whole answer came: the lead may have arrived. */
  | { readonly name: 'unknown'; readonly detail: string }

/** A rejection that an operator may want to try again later: `cap`, the month's offers are used up. */
export type RejectionCause = 'cap'

export type OutcomeName = AttemptOutcome['name']
