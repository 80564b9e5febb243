import { expect, test } from 'vitest'
import { accountBackoff, findBackoffDelay, networkBackoff } from './sign-in-limits.ts'

test('the first failures cause no wait, and later waits grow up to a limit', () => {
  const waits = (count: number) => findBackoffDelay(count, accountBackoff)
  expect([1, 2, 3, 4].map(waits)).toEqual([0, 0, 0, 0])
  expect([5, 6, 7, 8, 9].map(waits)).toEqual([1000, 2000, 4000, 8000, 16_000])
  expect([10, 100, 1_000_000].map(waits)).toEqual([30_000, 30_000, 30_000])
  expect(findBackoffDelay(1_000_000, networkBackoff)).toBe(300_000)
})
