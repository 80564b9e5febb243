import ms from 'ms'
import { describeError } from '#domain/delivery/describe-outcome.ts'
import type { AttemptRecord } from '#domain/delivery/outcome.ts'

/** Why an attempt came to its outcome; empty where the outcome says it all. */
export function describeAttempt({ reason, code, retryAfterMs }: AttemptRecord): string {
  const why = reason === null ? '' : describeError(reason)
  if (retryAfterMs !== null) return join(why, `asks for ${ms(retryAfterMs)}`)
  return code === null ? why : `${why} (${code})`
}

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')
