import type { BreakerState } from '../delivery/breaker.ts'

/** Who receives notifications: an affiliate through its postback, or the operator's own system through a webhook. */
export type NotificationKind = 'postback' | 'webhook'

/** The events of a lead that notifications report. `returned`: the distributor returned the lead later. */
export const leadEvents = ['accepted', 'rejected', 'returned'] as const

export type LeadEvent = (typeof leadEvents)[number]

/** An operator sends a test to see whether the destination answers. */
export type NotificationEvent = LeadEvent | 'test'

/** Why a notification ended without another attempt. */
export type NotSentReason = 'unreadable' | 'removed' | 'erased' | 'expired'

/** Names one webhook or one affiliate with a postback. */
export interface Destination {
  readonly kind: NotificationKind
  readonly id: string
}

/** A destination as the console and the command line show it. Times are epoch milliseconds. */
export interface DestinationView extends Destination {
  /** The affiliate's name, or the webhook's URL; operators who may not change webhooks see only its host. */
  readonly name: string
  readonly events: readonly LeadEvent[]
  readonly sendsPersonalData: boolean
  readonly waiting: number
  readonly lastSentAt: number | null
  /** The last failure among the latest notifications; null if the latest attempt succeeded. */
  readonly lastFailure: { readonly at: number; readonly reason: string } | null
  readonly breaker: BreakerState
}

/** What became of a notification. */
export interface NotificationOutcome {
  readonly settledAs: 'delivered' | 'dead' | null
  readonly settledBecause: NotSentReason | null
  readonly attempts: number
  /** The last answer's HTTP status, or why no answer came; both null before the first attempt. */
  readonly httpStatus: number | null
  readonly error: string | null
}

export interface NotificationView extends NotificationOutcome {
  readonly id: string
  /** Null for a test. */
  readonly leadId: string | null
  readonly event: NotificationEvent
  readonly eventAt: number
  /** When the next attempt is due, unless the notification has ended. */
  readonly nextAt: number
  /** The first 4 KB of the last reply; null if there is none or the operator may not see it. */
  readonly reply: string | null
}

/** What a destination was told about one lead. */
export interface LeadNotification
  extends Destination,
    NotificationOutcome,
    Pick<NotificationView, 'event' | 'eventAt'> {
  /** The affiliate's name, or the webhook's host. */
  readonly name: string
}

/** Says why the notifications for a destination wait; undefined if its breaker is closed. */
export function describeNotificationBreaker({ pause, trip }: BreakerState): string | undefined {
  if (pause !== null) return 'paused by an operator'
  return trip === null ? undefined : `it doesn’t answer as expected (${trip.reason || 'no answer'})`
}

const notSentReasons: Readonly<Record<NotSentReason, string>> = {
  unreadable: 'not sent: the lead can’t be read, or the destination was removed',
  removed: 'not sent: the destination was removed',
  erased: 'not sent: the lead was erased',
  expired: 'given up after 7 days',
}

/** Says what became of a notification. */
export function describeNotification(outcome: NotificationOutcome): string {
  const { settledAs, settledBecause, attempts } = outcome
  if (settledAs === 'delivered') return 'sent'
  if (settledBecause !== null) return notSentReasons[settledBecause]
  if (settledAs === 'dead') return 'dead: every attempt failed'
  return attempts === 0 ? 'waiting' : 'waiting for another attempt'
}

/** Returns the HTTP status of the last answer, or why none came; null before the first attempt. */
export const describeCallResult = ({
  httpStatus,
  error,
}: Pick<NotificationOutcome, 'httpStatus' | 'error'>): string | null =>
  httpStatus === null ? error && describeCallError(error) : `HTTP ${httpStatus}`

/** Explains the error code of a failed call. */
export const describeCallError = (error: string): string =>
  error === 'NOT_PUBLIC' ? 'the address is not public, or not https' : error
