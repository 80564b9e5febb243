import { expect, test } from 'vitest'
import { makeComparedPeriods } from './periods.ts'

const day = 86_400_000
const midnight = Date.UTC(2026, 10, 25)
/** A Wednesday. */
const noon = midnight + day / 2

test('the earlier period has as many days, and ends at the same time of day', () => {
  expect(makeComparedPeriods({}, 'days', noon)).toEqual({
    range: { since: midnight - 29 * day, until: noon },
    before: { since: midnight - 59 * day, until: noon - 30 * day },
  })
  const days = { from: midnight - 3 * day, to: midnight - 2 * day }
  expect(makeComparedPeriods(days, 'days', noon)).toEqual({
    range: { since: midnight - 3 * day, until: midnight - 2 * day },
    before: { since: midnight - 4 * day, until: midnight - 3 * day },
  })
  expect(makeComparedPeriods({ from: noon + day }, 'days', noon).range.since).toBe(midnight)
})

test('weeks begin on Mondays', () => {
  const monday = midnight - 2 * day
  expect(makeComparedPeriods({}, 'weeks', noon)).toEqual({
    range: { since: monday - 21 * day, until: noon },
    before: { since: monday - 49 * day, until: noon - 28 * day },
  })
  expect(makeComparedPeriods({ from: midnight, to: midnight + 9 * day }, 'weeks', noon)).toEqual({
    range: { since: monday, until: noon },
    before: { since: monday - 7 * day, until: noon - 7 * day },
  })
})
