import { expect, test } from 'vitest'
import { accountLimit, delayAfterFailures, networkLimit } from './sign-in-limits.ts'

test('a few mistakes cost no wait, and waits grow up to a limit', () => {
  const waits = (count: number) => delayAfterFailures(count, accountLimit)
  expect([1, 2, 3, 4].map(waits)).toEqual([0, 0, 0, 0])
  expect([5, 6, 7, 8, 9].map(waits)).toEqual([1000, 2000, 4000, 8000, 16_000])
  expect([10, 100, 1_000_000].map(waits)).toEqual([30_000, 30_000, 30_000])
  expect(delayAfterFailures(1_000_000, networkLimit)).toBe(300_000)
})
