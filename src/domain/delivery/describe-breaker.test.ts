import { expect, test } from 'vitest'
import { classifyOutage } from './breaker.ts'
import { type AttemptOutcome, formatOutcome } from './outcome.ts'

test.each<[AttemptOutcome, string]>([
  [{ name: 'unreachable', reason: 'no-connection', code: 'ECONNREFUSED' }, 'silence'],
  [{ name: 'unknown', reason: 'timeout' }, 'silence'],
  [{ name: 'unknown', reason: 'connection-lost' }, 'silence'],
  [{ name: 'busy', httpStatus: 408 }, 'error'],
  [{ name: 'busy', httpStatus: 429 }, 'error'],
  [{ name: 'busy', httpStatus: 503 }, 'error'],
  [{ name: 'broken', httpStatus: 502, reason: 'server-error' }, 'error'],
  [{ name: 'broken', httpStatus: 200, reason: 'unknown-reply' }, 'unusable'],
  [{ name: 'broken', httpStatus: 200, reason: 'reply-too-large' }, 'unusable'],
  [{ name: 'broken', httpStatus: 302, reason: 'unknown-status' }, 'unusable'],
  [{ name: 'broken', httpStatus: 422, reason: 'unknown-status' }, 'unusable'],
  [{ name: 'unknown', reason: 'timeout', httpStatus: 200 }, 'unusable'],
])('%o is %s', (outcome, kind) => {
  expect(classifyOutage(formatOutcome(outcome))).toBe(kind)
})
