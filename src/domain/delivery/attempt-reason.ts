/** A rejection that an operator may want to try again later: `cap`, the month's offers are used up. */
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
  /** Not tried any more: the tries before it ended without a word. */
  | 'given-up'
  /** What is stored of the lead cannot be read. */
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
