import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchForSilence } from './watched-pool.ts'

const afterMs = 4000
let line: { bytesRead: number }
let onSilence: () => void
let endWatch: () => void

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
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

/** Simulates a stalled process, in which no timer fires. */
const stallFor = (ms: number) =>
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + ms)

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

test('after a stall of the machine, the other end gets its time once more, but not again', async () => {
  const stood = stallFor(afterMs + 3000)
  await later(afterMs)
  expect(onSilence).not.toHaveBeenCalled()
  stood.mockRestore()
  await later(afterMs)
  expect(onSilence).toHaveBeenCalledOnce()
})

test('a process that is always late still gives up a silent connection', async () => {
  for (const lateBy of [2 * afterMs, 4 * afterMs]) {
    const late = stallFor(lateBy)
    await later(afterMs)
    late.mockRestore()
  }
  expect(onSilence).toHaveBeenCalledOnce()
})
