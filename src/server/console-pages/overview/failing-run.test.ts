import { expect, test } from 'vitest'
import type { CountedAttempt } from '#server/delivery/delivery-rollups.ts'
import { readFailingRun } from './read-overview.ts'

/** The newest first, a second apart. */
const runOf = (...outcomes: CountedAttempt['outcome'][]) =>
  readFailingRun({
    latest: async () =>
      outcomes.map((outcome, index) => ({ outcome, startedAt: 10_000 - 1000 * index })),
  })

test('the first attempts that fail are counted, back to the last that was answered', async () => {
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
