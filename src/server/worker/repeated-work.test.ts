import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RepeatedWork } from './repeated-work.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('is done at the start, then after each wait that it asks for, once at a time', async () => {
  const work = vi.fn().mockResolvedValueOnce(10).mockResolvedValue(500)
  const loop = new RepeatedWork(work)
  loop.start()
  loop.start()
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10)
  expect(work).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(499)
  expect(work).toHaveBeenCalledTimes(2)
  await loop.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(work).toHaveBeenCalledTimes(2)
})

test('a stop cuts a pause within it short, and waits for its end', async () => {
  let ended = false
  const loop: RepeatedWork = new RepeatedWork(async () => {
    await loop.pause(60_000)
    ended = loop.isStopping
    return 0
  })
  loop.start()
  await loop.stop()
  expect(ended).toBe(true)
})

test('what was never started has nothing to stop', async () => {
  await new RepeatedWork(() => Promise.reject(new Error('not asked'))).stop()
})
