import { expect, test } from 'vitest'
import { parseEndTime, parseStartTime } from './terminal.ts'

const day = Date.UTC(2026, 0, 31)

test('a day stands for its start or its end', () => {
  expect(parseStartTime('2026-01-31')).toBe(day)
  expect(parseEndTime('2026-01-31')).toBe(Date.UTC(2026, 1, 1))
})

test('a time is exact, and is UTC without an offset', () => {
  for (const moment of [parseStartTime, parseEndTime]) {
    expect(moment('2026-01-31T12:00Z')).toBe(day + 12 * 3_600_000)
    expect(moment('2026-01-31T12:00')).toBe(day + 12 * 3_600_000)
    expect(moment('2026-01-31T12:00:30+01:00')).toBe(day + 11 * 3_600_000 + 30_000)
  }
})

test('an age counts back from now', () => {
  const before = Date.now() - 86_400_000
  const at = parseStartTime('24h')
  expect(at).toBeGreaterThanOrEqual(before)
  expect(at).toBeLessThanOrEqual(Date.now() - 86_400_000)
})

test.each(['yesterday', '2026-02-30', '2026-13-01', '31.1.2026', '5', '', '2026-01-31T25:00'])(
  '%j is refused',
  (text) => {
    expect(() => parseStartTime(text)).toThrow('Give a day')
  },
)
