import { pino } from 'pino'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Product } from '#start/wiring/product.ts'
import { makeShutdown } from './stop-on-signal.ts'

afterEach(() => void vi.restoreAllMocks())

/** Stops parts that record each call. */
function stopping(drainDelay: number) {
  const happened: string[] = []
  let servedMs = 0
  const begunAt = performance.now()
  const says = (what: string) => async () => void happened.push(what)
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    happened.push(`exit ${code}`)
    return undefined as never
  })
  const stop = makeShutdown({
    server: {
      drain: says('connections end with their answer'),
      close: async ({ newcomers = 0 }) => {
        servedMs = performance.now() - begunAt
        happened.push(`closed, newcomers have ${newcomers} ms`)
      },
    },
    product: { drain: says('not ready'), stop: says('stopped') } as unknown as Product,
    log: pino({ enabled: false }),
    drainDelay,
  })
  return { stop, happened, servedMs: () => servedMs }
}

test('a stopping process is not ready, and serves for the configured time before it stops listening', async () => {
  const { stop, happened, servedMs } = stopping(100)
  await stop()
  expect(happened).toEqual([
    'not ready',
    'connections end with their answer',
    'closed, newcomers have 500 ms',
    'stopped',
    'exit 0',
  ])
  // A timer may fire early by less than a millisecond.
  expect(servedMs()).toBeGreaterThanOrEqual(99)
})

test('without a delay, the process closes at once; further signals change nothing', async () => {
  const { stop, happened } = stopping(0)
  await Promise.all([stop(1), stop()])
  expect(happened.slice(2)).toEqual(['closed, newcomers have 0 ms', 'stopped', 'exit 1'])
})

test('the process exits once: the end of the stop cancels its time limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { stop, happened } = stopping(0)
  const stopped = stop()
  await vi.advanceTimersByTimeAsync(0)
  await stopped
  await vi.advanceTimersByTimeAsync(60_000)
  expect(happened.filter((what) => what.startsWith('exit'))).toEqual(['exit 0'])
})
