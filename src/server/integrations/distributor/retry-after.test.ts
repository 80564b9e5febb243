import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const now = Date.UTC(2026, 2, 1, 12, 0, 0)
const day = 24 * 60 * 60 * 1000

test.each([
  ['120', 120_000],
  ['0', 0],
  [' 7 ', 7_000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['99999999999999999999', day],
  ['Tue, 01 Mar 2050 12:00:00 GMT', day],
])('%s', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected)
})

test.each([null, '', 'soon', '1.5', '-3', 'Sun, 99 Foo 2026 12:00:00 GMT'])(
  '%s says nothing',
  (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined()
  },
)
