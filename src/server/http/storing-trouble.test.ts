import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StoringTrouble } from './storing-trouble.ts'

let lines: string[]
let trouble: StoringTrouble
const full = new Error('database or disk is full')

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  trouble = new StoringTrouble(pino({}, { write: (line) => lines.push(line) }))
})
afterEach(() => {
  vi.useRealTimers()
})

const said = () => lines.map((line) => JSON.parse(line))

test('a thousand refusals are one line with the reason, and one when it is over', () => {
  for (let count = 0; count < 1000; count++) trouble.refused(full)
  expect(said()).toMatchObject([{ msg: expect.stringContaining('not stored'), refused: 1 }])
  expect(said()[0].err.message).toBe('database or disk is full')
  vi.advanceTimersByTime(2000)
  for (let count = 0; count < 1000; count++) trouble.stored()
  expect(said().slice(1)).toMatchObject([
    { msg: 'leads are stored again', refused: 1000, seconds: 2 },
  ])
})

test('trouble that lasts is told again each minute', () => {
  trouble.refused(full)
  vi.advanceTimersByTime(59_999)
  trouble.refused(full)
  expect(said()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  trouble.refused(full)
  expect(said()[1]).toMatchObject({ level: 50, refused: 3 })
})

test('refusals among others that are stored are one trouble', () => {
  for (let count = 0; count < 100; count++) {
    trouble.refused(full)
    trouble.stored()
  }
  expect(said()).toHaveLength(1)
})

test('trouble that comes back is told at once', () => {
  trouble.refused(full)
  vi.advanceTimersByTime(1000)
  trouble.stored()
  trouble.refused(full)
  expect(said().map(({ level }) => level)).toEqual([50, 40, 50])
})
