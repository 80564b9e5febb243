import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FailureLog, makeFailureLog } from './failure-log.ts'

let lines: string[]
let failureLog: FailureLog
const full = new Error('database or disk is full')

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  failureLog = makeFailureLog(pino({}, { write: (line) => lines.push(line) }), {
    begins: 'leads are not stored',
    ends: 'leads are stored again',
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const logged = () => lines.map((line) => JSON.parse(line))

test('a thousand refused enquiries are one line with the reason, and one when it is over', () => {
  for (let count = 0; count < 1000; count++) failureLog.failed(full)
  expect(logged()).toMatchObject([{ msg: expect.stringContaining('not stored'), times: 1 }])
  expect(logged()[0].err.message).toBe('database or disk is full')
  vi.advanceTimersByTime(2000)
  for (let count = 0; count < 1000; count++) failureLog.succeeded()
  expect(logged().slice(1)).toMatchObject([
    { msg: 'leads are stored again', times: 1000, seconds: 2 },
  ])
})

test('a lasting failure is logged again each minute', () => {
  failureLog.failed(full)
  vi.advanceTimersByTime(59_999)
  failureLog.failed(full)
  expect(logged()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  failureLog.failed(full)
  expect(logged()[1]).toMatchObject({ level: 50, times: 3 })
})

test('refused enquiries between stored ones are logged as one failure', () => {
  for (let count = 0; count < 100; count++) {
    failureLog.failed(full)
    failureLog.succeeded()
  }
  expect(logged()).toHaveLength(1)
})

test('a returning failure is logged at once', () => {
  failureLog.failed(full)
  vi.advanceTimersByTime(2000)
  failureLog.succeeded()
  failureLog.failed(full)
  expect(logged().map(({ level }) => level)).toEqual([50, 40, 50])
})
