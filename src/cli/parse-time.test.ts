import { expect, test } from 'vitest'
import { parseWhen } from './terminal.ts'

test('a day or a time stays as it is, for the school’s time zone', () => {
  for (const text of [
    '2026-01-31',
    '2026-01-31T12:00',
    '2026-01-31T12:00Z',
    '2026-01-31T12:00:30+01:00',
  ])
    expect(parseWhen(text)).toBe(text)
})

test('an age counts back from now', () => {
  const before = Date.now() - 86_400_000
  const at = Date.parse(parseWhen('24h'))
  expect(at).toBeGreaterThanOrEqual(before)
  expect(at).toBeLessThanOrEqual(Date.now() - 86_400_000)
})

test.each(['yesterday', '2026-02-30', '2026-13-01', '31.1.2026', '5', '', '2026-01-31T25:00'])(
  '%j is refused',
  (text) => {
    expect(() => parseWhen(text)).toThrow('Give a day')
  },
)
