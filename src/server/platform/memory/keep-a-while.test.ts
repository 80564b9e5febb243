import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepAWhile } from './keep-a-while.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Asks every second of ten minutes for a reading that takes so long; with how often it was read. */
async function readingsOf(tookMs: number): Promise<number> {
  let readings = 0
  const read = keepAWhile(async () => {
    readings++
    await new Promise((resolve) => setTimeout(resolve, tookMs))
  }, 100)
  for (let second = 0; second < 600; second++) {
    read().catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1000)
  }
  return readings
}

test.each([
  ['one that takes a moment is read every ten seconds', 300, 55, 60],
  ['one that takes three seconds is read a tenth of the time', 3000, 18, 20],
])('%s', async (_, tookMs, least, most) => {
  const readings = await readingsOf(tookMs)
  expect(readings).toBeGreaterThanOrEqual(least)
  expect(readings).toBeLessThanOrEqual(most)
})
