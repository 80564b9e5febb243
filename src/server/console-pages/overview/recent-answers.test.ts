import { expect, test } from 'vitest'
import type { MadeAttempt, RolledUpAnswers } from '#server/delivery/rollups/delivery-rollups.ts'
import { readRecentAnswers } from './recent-answers.ts'

const minute = 60_000
const hour = 60 * minute
const now = Date.UTC(2026, 10, 22, 12)

const kept: readonly RolledUpAnswers[] = [
  { from: now - 190 * hour, delivered: 40, rejected: 2 },
  { from: now - 25 * hour, delivered: 30, rejected: 1 },
  { from: now - 23 * hour, delivered: 9, rejected: 3 },
]

const attemptAt = (at: number, outcome: MadeAttempt['outcome'], id = ''): MadeAttempt => ({
  id,
  outcome,
  startedAt: at,
  durationMs: 0,
  owedAt: at,
})

const read = (attempts: readonly MadeAttempt[], rolledUp = kept) =>
  readRecentAnswers(
    {
      answers: async (since) => rolledUp.filter(({ from }) => from >= since),
      attempts: async ({ since, take }) =>
        attempts.filter(({ startedAt }) => startedAt >= since).slice(0, take),
    },
    now,
  )

test('the last day with what is not rolled up yet, and the seven days before it', async () => {
  const attempts = [
    attemptAt(now - 23 * hour, 'rejected'),
    attemptAt(now - minute, 'delivered'),
    attemptAt(now - minute, 'busy'),
  ]
  expect(await read(attempts)).toEqual({
    lastDay: { delivered: 10, rejected: 3 },
    before: { delivered: 70, rejected: 3 },
  })
})

test('nothing is rolled up yet', async () => {
  expect(await read([attemptAt(now - 30 * hour, 'rejected')], [])).toEqual({
    lastDay: { delivered: 0, rejected: 0 },
    before: { delivered: 0, rejected: 1 },
  })
})

test('nothing is said while more is being caught up with than a look may count', async () => {
  const many = Array.from({ length: 10_001 }, () => attemptAt(now - minute, 'delivered'))
  expect(await read(many)).toBeUndefined()
})
