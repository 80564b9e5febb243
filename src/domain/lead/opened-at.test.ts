import { expect, test } from 'vitest'
import { findPageOpeningTime } from './distributor-lead.ts'

const now = 1_800_000_000_000

test('a page was opened as long ago as its browser says', () => {
  expect(findPageOpeningTime(90_000.4, now)).toBe(now - 90_000)
  expect(findPageOpeningTime(0, now)).toBe(now)
})

test.each([undefined, Number.NaN, -1, Number.POSITIVE_INFINITY, 31 * 24 * 3600 * 1000])(
  'what nobody can have done is not kept: %s',
  (openFor) => {
    expect(findPageOpeningTime(openFor, now)).toBeNull()
  },
)
