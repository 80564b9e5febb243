import { expect, test } from 'vitest'
import type { CountedAttempt } from '#server/delivery/delivery-counts.ts'
import { countRecentAnswers, readFailureStreak } from './overview-reader.ts'

/** Makes attempts with the given outcomes, newest first, a second apart. */
const runOf = (...outcomes: CountedAttempt['outcome'][]) =>
  readFailureStreak({
    latest: async () =>
      outcomes.map((outcome, index) => ({
        outcome,
        startedAt: 10_000 - 1000 * index,
        durationMs: 100,
      })),
  })

test('counts the failed attempts since the last answered one', async () => {
  expect(await runOf('unreachable')).toEqual({ attempts: 1, since: 10_000 })
  expect(await runOf('busy', 'broken', 'unknown', 'delivered', 'broken')).toEqual({
    attempts: 3,
    since: 8000,
  })
})

test('deliveries count as working if the latest attempt was answered, or none was made', async () => {
  expect(await runOf('delivered', 'broken')).toBeUndefined()
  expect(await runOf('rejected', 'broken')).toBeUndefined()
  expect(await runOf('not-made', 'delivered')).toBeUndefined()
  expect(await runOf()).toBeUndefined()
})

const hour = 3_600_000
const now = Date.UTC(2026, 10, 22, 12)

const slots = [
  { from: now - 200 * hour, delivered: 99, rejected: 99, failed: 0 },
  { from: now - 190 * hour, delivered: 40, rejected: 2, failed: 0 },
  { from: now - 25 * hour, delivered: 30, rejected: 1, failed: 0 },
  { from: now - 23 * hour, delivered: 9, rejected: 3, failed: 0 },
  { from: now, delivered: 1, rejected: 0, failed: 0 },
]

test('counts the last day and the seven days before it', async () => {
  const list = async (since: number) => slots.filter(({ from }) => from >= since)
  expect(await countRecentAnswers({ list }, now)).toMatchObject({
    lastDay: { delivered: 10, rejected: 3 },
    before: { delivered: 70, rejected: 3 },
  })
})
