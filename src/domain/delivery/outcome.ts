/**
 * The outcome of one attempt to hand a lead to the distributor. Classified once, by the
 * distributor's client; everything after it reads the name only. It contains no text of the
 * distributor, so it may be logged and counted.
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
  /**
   * 401, 403, 404: it refuses us, as address, key or path are wrong on our side, or something
   * before it refuses this lead's content. The answer to another lead decides: see breaker.ts.
   */
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

  /** There was no attempt: nothing was sent. */
  | { readonly name: 'not-made'; readonly reason: NotMadeReason }

export type OutcomeName = AttemptOutcome['name']

/**
 * An attempt's evidence about the distributor: it reads leads, it refuses, it gives no usable
 * answer, or nothing, if no attempt was made or we cut it off ourselves.
 */
export function evidenceOf(outcome: AttemptOutcome): 'answer' | 'refused' | 'outage' | 'nothing' {
  switch (outcome.name) {
    case 'delivered':
    case 'rejected':
      return 'answer'
    case 'refused':
      return 'refused'
    case 'not-made':
      return 'nothing'
    case 'unknown':
      return outcome.reason === 'stopped' ? 'nothing' : 'outage'
    case 'busy':
    case 'broken':
    case 'unreachable':
      return 'outage'
  }
}

/** The distributor may have the lead without having said so: sent again, it may arrive twice. */
export function mayHaveArrived(outcome: AttemptOutcome): boolean {
  if (outcome.name === 'unknown') return true
  // It says that it went well, in words that are not its contract.
  return outcome.name === 'broken' && outcome.httpStatus >= 200 && outcome.httpStatus < 300
}

/** By what a settled delivery can be looked for, where an operator may want to try it again later. */
export function settledBecause(outcome: AttemptOutcome): RejectionCause | 'unreadable' | null {
  if (outcome.name === 'rejected') return outcome.cause ?? null
  return outcome.name === 'not-made' && outcome.reason === 'unreadable' ? outcome.reason : null
}

export function reasonOf(outcome: AttemptOutcome): AttemptReason | undefined {
  if ('reason' in outcome) return outcome.reason
  return 'cause' in outcome ? outcome.cause : undefined
}

/**
 * The distributor's answer, or why there was none, short enough for one line: `HTTP 403`,
 * `timeout`.
 */
export function shortLabel(outcome: AttemptOutcome): string {
  if ('httpStatus' in outcome && outcome.httpStatus !== undefined)
    return `HTTP ${outcome.httpStatus}`
  const reason = reasonOf(outcome) ?? ''
  return 'code' in outcome && outcome.code !== undefined ? `${reason} (${outcome.code})` : reason
}

/** A rejection that an operator may want to try again later: `cap`, the monthly cap is reached. */
export type RejectionCause = 'cap'

export type BrokenReason =
  /** HTTP 500 and above, but 503. */
  | 'server-error'
  /** Any other status that the contract does not know. */
  | 'unknown-status'
  /** HTTP 200 whose body is not the contract's. */
  | 'unknown-reply'
  | 'reply-too-large'

export type UnreachableReason = 'no-connection'

export type NotMadeReason =
  /** This process was stopping. */
  | 'stopped'
  /** No further attempts: the earlier ones ended without a result. */
  | 'given-up'
  /** The stored lead cannot be read. */
  | 'unreadable'

export type UnknownReason =
  | 'timeout'
  | 'connection-lost'
  /** This process stopped waiting. */
  | 'stopped'
  /** The process that had the lease ended without a word. */
  | 'process-ended'

/** Why an attempt came to its outcome, where the outcome's name and the HTTP status do not say it all. A closed list. */
export type AttemptReason =
  | RejectionCause
  | BrokenReason
  | UnreachableReason
  | UnknownReason
  | NotMadeReason

/** One attempt of a delivery. */
export interface AttemptRecord {
  /** From 1. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: OutcomeName
  readonly httpStatus: number | null
  readonly reason: AttemptReason | null
  /** The system's name for why nothing came, such as ECONNREFUSED. */
  readonly code: string | null
  readonly retryAfterMs: number | null
  /** The distributor's response, which may quote the lead; null once the lead is erased. */
  readonly said: string | null
}
