import { expect, test } from 'vitest'
import type { AttemptRecord } from '#domain/delivery/outcome.ts'
import { attemptEvents, DistributorWords } from './timeline.tsx'

const attempt = (
  number: number,
  startedAt: number,
  outcome: AttemptRecord['outcome'] = 'busy',
): AttemptRecord => ({
  number,
  startedAt,
  durationMs: 100,
  outcome,
  httpStatus: 503,
  reason: null,
  code: null,
  retryAfterMs: null,
  said: null,
})

const wordsOf = (attempts: readonly AttemptRecord[]) =>
  attemptEvents(attempts, true).map(({ what }) => what)

test('a wait stands between two attempts, with how long and why; the machine’s own is none', () => {
  expect(wordsOf([attempt(1, 0), attempt(2, 252_100), attempt(3, 252_900)])).toEqual([
    'Attempt 1: the distributor asked to try again later',
    'Retried after 4 m 12 s: HTTP 503',
    'Attempt 2: the distributor asked to try again later',
    'Attempt 3: the distributor asked to try again later',
  ])
})

test('a distributor that failed is told from one whose answer nobody knows', () => {
  const broken = attempt(1, 0, 'broken')
  expect(wordsOf([{ ...broken, httpStatus: 500 }])).toEqual([
    'Attempt 1: the distributor had an error',
  ])
  expect(wordsOf([{ ...broken, httpStatus: 200 }])).toEqual([
    'Attempt 1: the distributor’s response was not understood',
  ])
})

test('an operator’s retry after a rejection is not shown as a scheduled one', () => {
  expect(wordsOf([attempt(1, 0, 'rejected'), attempt(2, 146_000, 'rejected')])).toEqual([
    'Attempt 1: rejected',
    'Attempt 2: rejected',
  ])
})

test('of a lead that was tried for weeks the first and the last ones say it', () => {
  const weeks = Array.from({ length: 8000 }, (_, index) => attempt(index + 1, index * 300_000))
  const words = wordsOf(weeks)
  expect(words.length).toBeLessThan(105)
  expect(words).toContain('7,950 more attempts')
  expect(words[0]).toContain('Attempt 1:')
  expect(words.at(-1)).toContain('Attempt 8000:')
})

test('a response that is hidden is not quoted', () => {
  expect(DistributorWords({ words: 'Response hidden' })).toBe('Response hidden')
  expect(DistributorWords({ words: 'Program is inactivated' })).toMatchObject({ type: 'q' })
})
