import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PollingLoop } from './polling-loop.ts'

const logFailure = vi.fn()
const failing = { failureLog: { failed: logFailure, succeeded: vi.fn() }, againAfter: 1000 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('is done at the start, then after each wait that it asks for, once at a time', async () => {
  const work = vi.fn().mockResolvedValueOnce(10).mockResolvedValue(500)
  const loop = new PollingLoop(work, failing)
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
  const loop: PollingLoop = new PollingLoop(async () => {
    await loop.pause(60_000)
    ended = loop.isStopping
    return 0
  }, failing)
  loop.start()
  await loop.stop()
  expect(ended).toBe(true)
})

test('a loop that never started has nothing to stop', async () => {
  await new PollingLoop(() => Promise.reject(new Error('not asked')), failing).stop()
})

test('a failure is logged and retried: the loop survives it', async () => {
  const fault = new Error('away')
  const work = vi.fn().mockRejectedValueOnce(fault).mockResolvedValue(500)
  const loop = new PollingLoop(work, failing)
  loop.start()
  await vi.advanceTimersByTimeAsync(999)
  expect(logFailure).toHaveBeenCalledWith(fault)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  expect(failing.failureLog.succeeded).toHaveBeenCalled()
  await loop.stop()
})
