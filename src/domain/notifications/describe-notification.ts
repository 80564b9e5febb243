import type { BreakerState } from '../delivery/breaker.ts'
import type { NotificationOutcome, NotSentReason } from './notification.ts'

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
export const describeAnswer = ({
  httpStatus,
  error,
}: Pick<NotificationOutcome, 'httpStatus' | 'error'>): string | null =>
  httpStatus === null ? error && describeCallError(error) : `HTTP ${httpStatus}`

/** Explains the error code of a failed call. */
export const describeCallError = (error: string): string =>
  error === 'NOT_PUBLIC' ? 'the address is not public, or not https' : error
