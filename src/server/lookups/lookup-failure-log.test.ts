import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeLookupFailureLog } from './lookup-failure-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('logs each service and reason at once, then once a minute with the number of failures', () => {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) })
  const failed = makeLookupFailureLog(log)
  const logged = () => lines.splice(0).map((line) => JSON.parse(line))

  for (let visitors = 0; visitors < 500; visitors += 1) failed('zip lookup', 'refused-key')
  failed('zip lookup', 'timeout')
  expect(logged()).toMatchObject([
    { level: 50, service: 'zip lookup', reason: 'refused-key', times: 1 },
    { level: 40, service: 'zip lookup', reason: 'timeout', times: 1 },
  ])
  vi.advanceTimersByTime(59_999)
  failed('zip lookup', 'refused-key')
  expect(logged()).toEqual([])
  vi.advanceTimersByTime(1)
  failed('zip lookup', 'refused-key')
  expect(logged()).toMatchObject([{ reason: 'refused-key', times: 502 }])
})
