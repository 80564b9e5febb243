import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeProportionalLifetime, makeTimedCache } from './timed-cache.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Asks the cache once a second for ten minutes, and returns how often the cache read the value. */
async function readingsOf(tookMs: number): Promise<number> {
  let readings = 0
  const read = makeTimedCache(async () => {
    readings++
    await new Promise((resolve) => setTimeout(resolve, tookMs))
  }, makeProportionalLifetime(100))
  for (let second = 0; second < 600; second++) {
    read().catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1000)
  }
  return readings
}

test('reads at most every ten seconds', async () => {
  const readings = await readingsOf(300)
  expect(readings).toBeGreaterThanOrEqual(55)
  expect(readings).toBeLessThanOrEqual(60)
})

test('keeps a value for its lifetime, and a failure too', async () => {
  const answers = [async () => 'well', async () => Promise.reject(new Error('ill'))]
  const ask = makeTimedCache(
    () => (answers.shift() ?? (async () => 'well again'))(),
    () => 1000,
  )
  expect(await ask()).toBe('well')
  vi.advanceTimersByTime(999)
  expect(await ask()).toBe('well')
  vi.advanceTimersByTime(1)
  await expect(ask()).rejects.toThrow('ill')
  await expect(ask()).rejects.toThrow('ill')
  vi.advanceTimersByTime(1000)
  expect(await ask()).toBe('well again')
})

test.each([
  ['an interval', () => 1000],
  ['a share of the time', makeProportionalLifetime(1)],
])('never reads a second time while the store stalls; lifetime: %s', async (_, held) => {
  let readings = 0
  const ask = makeTimedCache(() => {
    readings++
    return new Promise(() => undefined)
  }, held)
  const asked: Promise<unknown>[] = []
  for (let second = 0; second < 20; second++) {
    asked.push(ask().catch((error: Error) => error.message))
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(readings).toBe(1)
  expect(await asked[0]).toBe('The store has not answered for 8000 ms.')
})
