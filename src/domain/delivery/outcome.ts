import type {
  AttemptReason,
  BrokenReason,
  RejectionCause,
  UnknownReason,
  UnreachableReason,
} from './attempt-reason.ts'

/**
 * What one attempt to hand a lead to the distributor came to. Classified once, by the distributor's client;
 * everything after it reads the name only. It holds nothing that the distributor wrote, so it may be logged and counted.
 */
export type AttemptOutcome =
  /** The distributor has taken the lead. */
  | { readonly name: 'delivered'; readonly httpStatus: number }
  /** It has read the lead and will not have it: asking again would not help. */
  | { readonly name: 'rejected'; readonly httpStatus: number; readonly cause?: RejectionCause }
  /** It asks us to come back: 408, 429, 503. `retryAfterMs` is what its Retry-After says, in milliseconds from now. */
  | { readonly name: 'busy'; readonly httpStatus: number; readonly retryAfterMs?: number }
  /** It answered with something that is not its contract, or with a server error, which may say when to come back. */
  | {
      readonly name: 'broken'
      readonly httpStatus: number
      readonly reason: BrokenReason
      readonly retryAfterMs?: number
    }
  /** It refuses us, not the lead: address, key or path are wrong on our side (401, 403, 404). */
  | { readonly name: 'refused'; readonly httpStatus: number }
  /** The request did not reach it. `code` is the system's name for why, such as ECONNREFUSED. */
  | { readonly name: 'unreachable'; readonly reason: UnreachableReason; readonly code?: string }
  /** The request was sent and no whole answer came: the lead may have arrived. A status came where the answer broke off. */
  | {
      readonly name: 'unknown'
      readonly reason: UnknownReason
      readonly httpStatus?: number
      readonly code?: string
    }

export type OutcomeName = AttemptOutcome['name']

export function reasonOf(outcome: AttemptOutcome): AttemptReason | undefined {
  if ('reason' in outcome) return outcome.reason
  return 'cause' in outcome ? outcome.cause : undefined
}
