import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePollingLoop, type PollingLoop } from './polling-loop.ts'

const logFailure = vi.fn()
const failureLog = { failed: logFailure, succeeded: vi.fn() }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('work runs at the start, then after each pause that it returns, and never twice at once', async () => {
  const work = vi.fn().mockResolvedValueOnce(10).mockResolvedValue(500)
  const loop = makePollingLoop(work, failureLog, 1000)
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

test('a stop ends a pause within the work early, and waits for the end of the work', async () => {
  let ended = false
  const loop: PollingLoop = makePollingLoop(
    async () => {
      await loop.pause(60_000)
      ended = loop.isStopping()
      return 0
    },
    failureLog,
    1000,
  )
  loop.start()
  await loop.stop()
  expect(ended).toBe(true)
})

test('a loop that never started stops at once', async () => {
  await makePollingLoop(() => Promise.reject(new Error('not asked')), failureLog, 1000).stop()
})

test('failed work is logged and retried', async () => {
  const fault = new Error('away')
  const work = vi.fn().mockRejectedValueOnce(fault).mockResolvedValue(500)
  const loop = makePollingLoop(work, failureLog, 1000)
  loop.start()
  await vi.advanceTimersByTimeAsync(999)
  expect(logFailure).toHaveBeenCalledWith(fault)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  expect(failureLog.succeeded).toHaveBeenCalled()
  await loop.stop()
})
