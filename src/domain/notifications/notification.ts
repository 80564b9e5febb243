import { pluralize } from '#domain/text/formats.ts'
import type { BreakerState } from '../delivery/breaker.ts'

/** The kinds of notifications: postbacks to affiliates, and webhooks to the company's other systems. */
export type NotificationKind = 'postback' | 'webhook'

/**
 * The events of a lead that notifications report. `received`: the server stored the lead. `returned`: the distributor took
 * back an accepted lead. `stopped`: the lead waits in quarantine because its affiliate is stopped.
 */
export const leadEvents = ['received', 'accepted', 'rejected', 'returned', 'stopped'] as const

export type LeadEvent = (typeof leadEvents)[number]

/**
 * Decides which kinds of destinations may get an event: what affiliates may know differs from what the company's own
 * systems may know. Of these events, each webhook gets those that it subscribes to.
 */
export const eventReceivers: Readonly<Record<LeadEvent, readonly NotificationKind[]>> = {
  received: ['webhook'],
  accepted: ['postback', 'webhook'],
  rejected: ['postback', 'webhook'],
  returned: ['postback', 'webhook'],
  stopped: ['postback'],
}

/** The reason in each postback about a lead that came after its affiliate was stopped, and for which the payout is 0. */
export const stoppedReason = 'affiliate stopped'

/** Lists the events that a kind of destination may get. */
export const listEventsFor = (kind: NotificationKind): readonly LeadEvent[] =>
  leadEvents.filter((event) => eventReceivers[event].includes(kind))

/** The events that a new webhook gets unless the operator chooses others: the distributor's answers. */
export const usualWebhookEvents = listEventsFor('webhook').filter((event) => event !== 'received')

/** An operator sends a test to see whether the destination answers. */
export type NotificationEvent = LeadEvent | 'test'

/** Why a notification ended without another attempt. */
export type NotSentReason = 'unreadable' | 'removed' | 'erased' | 'expired'

/** Identifies one webhook, or one affiliate with a postback. */
export interface Destination {
  readonly kind: NotificationKind
  readonly id: string
}

interface NotificationOutcome {
  readonly settledAs: 'delivered' | 'dead' | null
  readonly settledBecause: NotSentReason | null
  readonly attempts: number
  /** The HTTP status of the last answer, or why no answer came; both are null before the first attempt. */
  readonly httpStatus: number | null
  readonly error: string | null
}

/** A notification about a lead, as the lead's page shows it. */
export interface LeadNotification extends Destination, NotificationOutcome {
  readonly event: NotificationEvent
  readonly eventAt: number
  /** The affiliate's name, or the webhook's host. */
  readonly name: string
}

/** Says why a destination's notifications wait; undefined if the destination's breaker is closed. */
export function describeNotificationBreaker({ pause, trip }: BreakerState): string | undefined {
  if (pause !== null) return `paused by ${pause.by ?? 'an operator'}`
  return trip === null ? undefined : `it doesn’t answer as expected (${trip.reason || 'no answer'})`
}

const notSentReasons: Readonly<Record<NotSentReason, string>> = {
  unreadable: 'not sent: the lead can’t be read, or the destination was removed',
  removed: 'not sent: the destination was removed',
  erased: 'not sent: the lead was erased',
  expired: 'given up after 7 days',
}

/** Describes the result of a notification, or what it waits for. */
export function describeNotification(outcome: NotificationOutcome): string {
  const { settledAs, settledBecause, attempts } = outcome
  if (settledAs === 'delivered') return 'sent'
  if (settledBecause !== null) return notSentReasons[settledBecause]
  if (settledAs === 'dead') return 'dead: every attempt failed'
  return attempts === 0 ? 'waiting' : 'waiting for another attempt'
}

/** Returns the HTTP status of the last answer, or why no answer came; null before the first attempt. */
export const describeCallResult = ({
  httpStatus,
  error,
}: Pick<NotificationOutcome, 'httpStatus' | 'error'>): string | null =>
  httpStatus === null ? error && describeCallError(error) : `HTTP ${httpStatus}`

/** Explains the error code of a failed call. */
export const describeCallError = (error: string): string =>
  error === 'NOT_PUBLIC' ? 'the address is not public, or not https' : error

/** Says what the removal of a webhook loses. @param waiting the number of its waiting notifications */
export const describeWebhookRemoval = (waiting: number): string =>
  `${waiting === 0 ? 'No notification is waiting.' : `${pluralize(waiting, 'waiting notification')} will never be sent.`} Failed notifications can’t be sent again, and the signing secret is lost: a new webhook gets another secret.`
