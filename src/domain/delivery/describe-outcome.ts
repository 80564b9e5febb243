import type { AttemptReason } from './outcome.ts'

/** Replaces the distributor's response for operators who may not read it. */
export const hiddenResponseLabel = 'Response hidden'

/**
 * Describes an error by which operators group and filter leads: `HTTP 503`, `no complete answer in time`, `ECONNREFUSED`.
 */
export function describeError(error: string): string {
  if (/^\d{3}$/.test(error)) return `HTTP ${error}`
  return Object.hasOwn(reasonDescriptions, error)
    ? reasonDescriptions[error as keyof typeof reasonDescriptions]
    : error
}

export const reasonDescriptions: Readonly<Record<AttemptReason, string>> = {
  cap: 'monthly cap reached',
  'server-error': 'it failed',
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
