import type { AttemptOutcome } from '#domain/delivery/outcome.ts'

/** What an operator reads beside the outcome's name. */
export function attemptDetail(outcome: AttemptOutcome): string | null {
  switch (outcome.name) {
    case 'delivered':
      return null
    case 'rejected':
      return textFor(outcome.reasons.join('; '))
    case 'busy':
      return outcome.retryAfterMs === undefined ? null : `retry after ${outcome.retryAfterMs} ms`
    default:
      return textFor(outcome.detail)
  }
}

/** A distributor may answer with anything, and PostgreSQL's text cannot hold NUL. */
const textFor = (said: string): string => said.replaceAll('\0', '')
