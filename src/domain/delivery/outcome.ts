/** The outcome of one attempt. An outcome contains no text from the distributor, so it may be logged. */
export type AttemptOutcome =
  | { readonly name: 'delivered'; readonly httpStatus: number }
  /** The distributor has read the lead and does not want it, so another attempt would not help. */
  | {
      readonly name: 'rejected'
      readonly httpStatus: number
      readonly cause?: RejectionCause | undefined
    }
  /** The distributor answered 408, 429 or 503 and asks for a later attempt; `retryAfterMs` is its Retry-After. */
  | {
      readonly name: 'busy'
      readonly httpStatus: number
      readonly retryAfterMs?: number | undefined
    }
  /** The distributor's answer broke its contract, or was a server error. */
  | {
      readonly name: 'broken'
      readonly httpStatus: number
      readonly reason: BrokenReplyReason
      readonly retryAfterMs?: number | undefined
    }
  /** The distributor answered 401, 403 or 404: our URL or key is wrong, or a firewall forbids this lead. */
  | { readonly name: 'refused'; readonly httpStatus: number }
  /** The request did not reach the distributor. `code` is the system's error code, such as ECONNREFUSED. */
  | {
      readonly name: 'unreachable'
      readonly reason: 'no-connection'
      readonly code?: string | undefined
    }
  /** The request was sent, but no complete answer came, so the lead may have arrived. */
  | {
      readonly name: 'unknown'
      readonly reason: UnknownReason
      readonly httpStatus?: number
      readonly code?: string | undefined
    }
  | { readonly name: 'not-made'; readonly reason: AttemptNotMadeReason }

export type AttemptOutcomeName = AttemptOutcome['name']

/** Says what an attempt proves about the distributor. An attempt that we did not make, or stopped, proves nothing. */
export function classifyOutcome(
  outcome: AttemptOutcome,
): 'answer' | 'refused' | 'outage' | 'nothing' {
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

/** Returns whether the distributor may have accepted the lead, so that another attempt may deliver the lead twice. */
export function mayHaveArrived(outcome: AttemptOutcome): boolean {
  if (outcome.name === 'unknown') return true
  return outcome.name === 'broken' && outcome.httpStatus >= 200 && outcome.httpStatus < 300
}

/** Returns the reason that the store keeps with an ended delivery, so that operators can find deliveries to retry. */
export function findSettlementReason(
  outcome: AttemptOutcome,
): RejectionCause | 'unreadable' | null {
  if (outcome.name === 'rejected') return outcome.cause ?? null
  return outcome.name === 'not-made' && outcome.reason === 'unreadable' ? outcome.reason : null
}

export function findAttemptReason(outcome: AttemptOutcome): OutcomeReason | undefined {
  if ('reason' in outcome) return outcome.reason
  return 'cause' in outcome ? outcome.cause : undefined
}

/** Returns the HTTP status or, without an answer, the reason, such as `HTTP 403` or `timeout`. */
export function formatOutcome(outcome: AttemptOutcome): string {
  if ('httpStatus' in outcome && outcome.httpStatus) return `HTTP ${outcome.httpStatus}`
  const reason = findAttemptReason(outcome) ?? ''
  return 'code' in outcome && outcome.code !== undefined ? `${reason} (${outcome.code})` : reason
}

/** The distributor's reasons to reject a lead. `cap`: its monthly cap is reached, so a retry may succeed next month. */
export const rejectionCauses = ['cap'] as const

export type RejectionCause = (typeof rejectionCauses)[number]

/** The causes by which rejected leads are counted; `rejected` stands for a rejection without one of the causes above. */
export const countedRejectionCauses = ['rejected', ...rejectionCauses] as const

export type CountedRejectionCause = (typeof countedRejectionCauses)[number]

export type BrokenReplyReason =
  /** HTTP 500 and above, except 503. */
  | 'server-error'
  /** A status below 500 that the contract does not define. */
  | 'unknown-status'
  /** HTTP 200 with a body that breaks the contract. */
  | 'unknown-reply'
  | 'reply-too-large'

export type AttemptNotMadeReason =
  /** The process stopped before it sent the lead. */
  | 'stopped'
  /** The delivery ends without another attempt, because earlier attempts had no result. */
  | 'given-up'
  | 'unreadable'

type UnknownReason =
  | 'timeout'
  | 'connection-lost'
  /** The process stopped before the answer came. */
  | 'stopped'
  /** The process that held the lease ended without recording a result. */
  | 'process-ended'

/** Why an attempt had its outcome, unless the outcome's name and the HTTP status say it. */
export type OutcomeReason = keyof typeof reasonDescriptions

export interface AttemptRecord {
  readonly number: number
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: AttemptOutcomeName
  readonly httpStatus: number | null
  readonly reason: OutcomeReason | null
  /** The system's error code, such as ECONNREFUSED, if no answer came. */
  readonly code: string | null
  readonly retryAfterMs: number | null
  /** The distributor's response, which may quote the lead; null after the lead is erased. */
  readonly said: string | null
}

/** Operators who may not read the distributor's response see this text instead. */
export const hiddenResponseLabel = 'Response hidden'

/** Describes an error to operators, for example as `HTTP 503`, `no complete answer in time` or `ECONNREFUSED`. */
export function describeAttemptError(error: string): string {
  if (/^\d{3}$/.test(error)) return `HTTP ${error}`
  return Object.hasOwn(reasonDescriptions, error)
    ? reasonDescriptions[error as OutcomeReason]
    : error
}

export const reasonDescriptions = {
  cap: 'monthly cap reached',
  'server-error': 'the distributor failed',
  'unknown-status': 'a status that is not in the contract',
  'unknown-reply': 'a reply that is not in the contract',
  'reply-too-large': 'a reply over 64 KB',
  'no-connection': 'no connection',
  'connection-lost': 'the connection was lost',
  timeout: 'no complete answer in time',
  stopped: 'our process stopped',
  'process-ended': 'our process ended without a result: the lead may have been sent',
  'given-up': 'not sent: earlier attempts ended without a result',
  unreadable: 'not sent: the stored lead cannot be read',
}
