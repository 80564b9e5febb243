import { expect, test } from 'vitest'
import { formatDay, parseDay } from '../calendar.ts'
import { endOfUnit, makeComparedPeriods, type RangeRequest, startOfUnit } from './periods.ts'

const zone = 'America/New_York'
const day = (text: string): number => parseDay(text) ?? Number.NaN

/** The first and the last days of a range and of its comparison. */
function daysOf(request: RangeRequest, now = '2026-11-28T12:00-05:00'): readonly string[] {
  const { range, before } = makeComparedPeriods(request, Date.parse(now), zone)
  return [range.first, range.last, before.first, before.last].map(formatDay)
}

test.each([
  [{}, '2026-11-01 2026-11-28 2026-10-04 2026-10-31'],
  [{ range: 'today' }, '2026-11-28 2026-11-28 2026-11-27 2026-11-27'],
  [{ range: 'yesterday' }, '2026-11-27 2026-11-27 2026-11-26 2026-11-26'],
  [{ range: 'last-7-days' }, '2026-11-22 2026-11-28 2026-11-15 2026-11-21'],
  [{ range: 'this-month' }, '2026-11-01 2026-11-28 2026-10-01 2026-10-28'],
  [{ range: 'last-month' }, '2026-10-01 2026-10-31 2026-09-01 2026-09-30'],
  [{ range: 'quarter-to-date' }, '2026-10-01 2026-11-28 2026-07-01 2026-08-28'],
  [{ range: 'last-month', compare: 'year' }, '2026-10-01 2026-10-31 2025-10-01 2025-10-31'],
  [{ range: 'last-7-days', compare: 'year' }, '2026-11-22 2026-11-28 2025-11-22 2025-11-28'],
  [{ from: '2026-11-03', to: '2026-11-05' }, '2026-11-03 2026-11-05 2026-10-31 2026-11-02'],
  [{ from: '2026-09-01', to: '2026-10-31' }, '2026-09-01 2026-10-31 2026-07-01 2026-08-31'],
  [{ from: '2026-11-01', to: '2026-11-30' }, '2026-11-01 2026-11-28 2026-10-01 2026-10-28'],
  [{ from: '2026-11-20' }, '2026-11-20 2026-11-28 2026-11-11 2026-11-19'],
  [{ to: '2026-11-20' }, '2026-10-24 2026-11-20 2026-09-26 2026-10-23'],
  [{ range: 'today', from: '2026-11-20' }, '2026-11-20 2026-11-28 2026-11-11 2026-11-19'],
] as const)('%j is %s', (request, days) => {
  const { from, to } = { from: undefined, to: undefined, ...request }
  const parsed = { ...request, from: from && day(from), to: to && day(to) }
  expect(daysOf(parsed).join(' ')).toBe(days)
})

test.each([
  [
    '2026-03-30T12:00-04:00',
    { range: 'this-month' },
    '2026-03-01 2026-03-30 2026-02-01 2026-02-28',
  ],
  [
    '2026-11-30T12:00-05:00',
    { range: 'this-month' },
    '2026-11-01 2026-11-30 2026-10-01 2026-10-30',
  ],
  [
    '2027-01-15T12:00-05:00',
    { range: 'last-month' },
    '2026-12-01 2026-12-31 2026-11-01 2026-11-30',
  ],
  [
    '2028-03-01T12:00-05:00',
    { range: 'last-month', compare: 'year' },
    '2028-02-01 2028-02-29 2027-02-01 2027-02-28',
  ],
  [
    '2027-03-01T12:00-05:00',
    { range: 'last-month' },
    '2027-02-01 2027-02-28 2027-01-01 2027-01-31',
  ],
  ['2027-01-01T00:30-05:00', { range: 'today' }, '2027-01-01 2027-01-01 2026-12-31 2026-12-31'],
  // In New York it is still December.
  ['2027-01-01T04:59Z', { range: 'this-month' }, '2026-12-01 2026-12-31 2026-11-01 2026-11-30'],
] as const)('at %s, %j is %s', (now, request, days) =>
  expect(daysOf(request, now).join(' ')).toBe(days),
)

test('a day that still runs is compared up to the same time of day, on days of 23 and 25 hours, too', () => {
  for (const date of ['2026-11-01', '2026-11-02', '2026-03-08', '2026-03-09']) {
    const offset = date.startsWith('2026-11') ? '-05:00' : '-04:00'
    const { range, before } = makeComparedPeriods(
      { range: 'today' },
      Date.parse(`${date}T15:00${offset}`),
      zone,
    )
    const clock = (at: number) =>
      new Date(at).toLocaleTimeString('en-US', {
        timeZone: zone,
        timeStyle: 'short',
        hour12: false,
      })
    expect([clock(range.since), clock(before.since)]).toEqual(['00:00', '00:00'])
    expect([clock(range.until), clock(before.until)]).toEqual(['15:00', '15:00'])
  }
})

test('units begin and end with their days', () => {
  const units = (['day', 'week', 'month'] as const).map((unit) => {
    const first = startOfUnit(day('2026-12-31'), unit)
    return [first, endOfUnit(first, unit)].map(formatDay).join(' ')
  })
  expect(units).toEqual(['2026-12-31 2026-12-31', '2026-12-28 2027-01-03', '2026-12-01 2026-12-31'])
})
