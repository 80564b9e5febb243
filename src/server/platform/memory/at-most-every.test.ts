import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { atMostEvery } from './at-most-every.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('who asks again too soon gets the answer of before, a failure too', async () => {
  const answers = [async () => 'well', async () => Promise.reject(new Error('ill'))]
  const ask = atMostEvery(1000, () => (answers.shift() ?? (async () => 'well again'))())
  expect(await ask()).toBe('well')
  vi.advanceTimersByTime(999)
  expect(await ask()).toBe('well')
  vi.advanceTimersByTime(1)
  await expect(ask()).rejects.toThrow('ill')
  await expect(ask()).rejects.toThrow('ill')
  vi.advanceTimersByTime(1000)
  expect(await ask()).toBe('well again')
})
