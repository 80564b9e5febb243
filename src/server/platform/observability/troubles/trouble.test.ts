import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Trouble } from './trouble.ts'

let lines: string[]
let trouble: Trouble
const full = new Error('database or disk is full')

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  trouble = new Trouble(pino({}, { write: (line) => lines.push(line) }), {
    begins: 'leads are not stored',
    ends: 'leads are stored again',
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const said = () => lines.map((line) => JSON.parse(line))

test('a thousand refused enquiries are one line with the reason, and one when it is over', () => {
  for (let count = 0; count < 1000; count++) trouble.met(full)
  expect(said()).toMatchObject([{ msg: expect.stringContaining('not stored'), times: 1 }])
  expect(said()[0].err.message).toBe('database or disk is full')
  vi.advanceTimersByTime(2000)
  for (let count = 0; count < 1000; count++) trouble.notMet()
  expect(said().slice(1)).toMatchObject([
    { msg: 'leads are stored again', times: 1000, seconds: 2 },
  ])
})

test('trouble that lasts is told again each minute', () => {
  trouble.met(full)
  vi.advanceTimersByTime(59_999)
  trouble.met(full)
  expect(said()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  trouble.met(full)
  expect(said()[1]).toMatchObject({ level: 50, times: 3 })
})

test('refused enquiries among others that are stored are one trouble', () => {
  for (let count = 0; count < 100; count++) {
    trouble.met(full)
    trouble.notMet()
  }
  expect(said()).toHaveLength(1)
})

test('trouble that comes back is told at once', () => {
  trouble.met(full)
  vi.advanceTimersByTime(2000)
  trouble.notMet()
  trouble.met(full)
  expect(said().map(({ level }) => level)).toEqual([50, 40, 50])
})
