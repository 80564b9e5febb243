import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchForSilence } from './timeout-pool.ts'

const afterMs = 4000
let line: { bytesRead: number }
let onSilence: () => void
let endWatch: () => void

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  line = { bytesRead: 100 }
  onSilence = vi.fn<() => void>()
  endWatch = watchForSilence(line, afterMs, onSilence)
})
afterEach(() => {
  endWatch()
  vi.useRealTimers()
})

const later = async (ms: number) => {
  vi.advanceTimersByTime(ms)
  await setImmediate()
}

test('a silent connection is reported, and no sooner', async () => {
  await later(afterMs - 1)
  expect(onSilence).not.toHaveBeenCalled()
  await later(1)
  expect(onSilence).toHaveBeenCalledOnce()
})

test('incoming data restarts its time limit', async () => {
  line.bytesRead++
  await later(afterMs)
  expect(onSilence).not.toHaveBeenCalled()
  await later(afterMs)
  expect(onSilence).toHaveBeenCalledOnce()
})
