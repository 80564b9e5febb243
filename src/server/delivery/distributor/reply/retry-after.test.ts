import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const now = Date.UTC(2026, 2, 1, 12, 0, 0)
const month = 31 * 24 * 60 * 60 * 1000

test.each([
  ['120', 120_000],
  ['0', 0],
  ['604800', 604_800_000],
  [' 7 ', 7_000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['99999999999999999999', month],
  ['Tue, 01 Mar 2050 12:00:00 GMT', month],
])('%s', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected)
})

test.each([undefined, '', 'soon', '1.5', '-3', 'Sun, 99 Foo 2026 12:00:00 GMT'])(
  '%s says nothing',
  (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined()
  },
)
