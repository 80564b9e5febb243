import { describe, expect, test } from 'vitest'
import {
  addMonths,
  atSameTimeOfDay,
  formatDay,
  formatIsoTime,
  formatMonth,
  listOffsets,
  parseDay,
  parseMonth,
  parseRangeEnd,
  parseRangeStart,
  parseTimeZone,
  startOfDay,
  startOfMonth,
  startOfWeek,
  toDay,
  toTimeRange,
} from './calendar.ts'

const hour = 3_600_000
const newYork = 'America/New_York'
const at = (text: string): number => Date.parse(text)
const day = (text: string): number => parseDay(text) ?? Number.NaN

test.each([
  [newYork, '2026-03-08', 23],
  [newYork, '2026-11-01', 25],
  [newYork, '2026-11-27', 24],
  ['Asia/Kolkata', '2026-11-27', 24],
  ['Australia/Lord_Howe', '2026-10-04', 23.5],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  // Clocks skip midnight on the first, and repeat the hour before midnight on the second of these days.
  ['America/Santiago', '2026-09-06', 23],
  ['America/Santiago', '2026-04-04', 25],
  ['Africa/Cairo', '2026-04-24', 23],
  ['Africa/Cairo', '2026-10-29', 25],
  // Samoa crossed the date line.
  ['Pacific/Apia', '2011-12-30', 0],
])('in %s, %s has %d hours', (zone, text, hours) => {
  const { since, until } = toTimeRange(day(text), day(text), zone)
  expect(until - since).toBe(hours * hour)
  if (hours === 0) return
  expect(formatDay(toDay(since, zone))).toBe(text)
  expect(formatDay(toDay(until - 1, zone))).toBe(text)
  expect(toDay(since - 1, zone)).toBe(day(text) - 24 * hour)
  expect(toDay(until, zone)).toBe(day(text) + 24 * hour)
})

test('a day begins when clocks leave the skipped midnight', () => {
  expect(startOfDay(day('2026-09-06'), 'America/Santiago')).toBe(at('2026-09-06T01:00-03:00'))
})

test('every zone’s days of these years follow each other, and its offsets give the same days', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const range = { since: at('2026-01-01T00:00Z'), until: at('2032-01-01T00:00Z') }
    for (const { until } of listOffsets(range, zone)) {
      for (const time of [until - 26 * hour, until - 1, until, until + 26 * hour]) {
        const found = toDay(time, zone)
        expect(startOfDay(found, zone), zone).toBeLessThanOrEqual(time)
        expect(startOfDay(found + 24 * hour, zone), zone).toBeGreaterThan(time)
        const [last] = listOffsets({ since: time, until: time + 1 }, zone)
        const local = time + (last?.offset ?? Number.NaN)
        expect(local - (local % (24 * hour)), zone).toBe(found)
      }
    }
  }
})

test('offsets follow each other up to the end of the range', () => {
  const range = { since: at('2026-01-01T00:00Z'), until: at('2026-12-01T00:00Z') }
  expect(listOffsets(range, newYork)).toEqual([
    { until: at('2026-03-08T07:00Z'), offset: -5 * hour },
    { until: at('2026-11-01T06:00Z'), offset: -4 * hour },
    { until: range.until, offset: -5 * hour },
  ])
  expect(listOffsets(range, 'Asia/Kolkata')).toEqual([{ until: range.until, offset: 5.5 * hour }])
})

test('a comparison reaches up to the same time of day, whatever clocks do in between', () => {
  expect(atSameTimeOfDay(at('2026-11-01T12:00-05:00'), day('2026-10-31'), newYork)).toBe(
    at('2026-10-31T12:00-04:00'),
  )
})

describe('weeks and months', () => {
  test('a week begins on Monday, in another year if need be', () => {
    expect(formatDay(startOfWeek(day('2027-01-03')))).toBe('2026-12-28')
    expect(formatDay(startOfWeek(day('2026-12-28')))).toBe('2026-12-28')
  })

  test('months follow each other over the end of the year and leap days', () => {
    expect(formatDay(startOfMonth(day('2026-12-31')))).toBe('2026-12-01')
    expect(formatDay(addMonths(day('2026-12-01'), 1))).toBe('2027-01-01')
    expect(formatDay(addMonths(day('2028-02-29'), -12))).toBe('2027-02-28')
    expect(formatDay(addMonths(day('2026-10-31'), -1))).toBe('2026-09-30')
  })
})

describe('texts', () => {
  test('days and months', () => {
    expect(parseDay('2026-11-27')).toBe(Date.UTC(2026, 10, 27))
    expect(formatMonth(day('2026-11-27'))).toBe('2026-11')
    expect(parseMonth('2026-11')).toBe(Date.UTC(2026, 10, 1))
    for (const text of ['2026-02-30', '2026-13-01', '2026-1-1', '', '2026-11', '2026-11-27T00:00'])
      expect(parseDay(text), text).toBeUndefined()
    expect(parseMonth('2026-13')).toBeUndefined()
  })

  test('times in the zone, with an offset, and in days', () => {
    expect(parseRangeStart('2026-11-27', newYork)).toBe(at('2026-11-27T05:00Z'))
    expect(parseRangeEnd('2026-11-27', newYork)).toBe(at('2026-11-28T05:00Z'))
    expect(parseRangeEnd('2026-11-01', newYork)).toBe(at('2026-11-02T05:00Z'))
    for (const parse of [parseRangeStart, parseRangeEnd]) {
      expect(parse('2026-11-27T09:00', newYork)).toBe(at('2026-11-27T14:00Z'))
      expect(parse('2026-11-27T09:00:30.5Z', newYork)).toBe(at('2026-11-27T09:00:30.500Z'))
      expect(parse('2026-11-27T09:00+05:30', newYork)).toBe(at('2026-11-27T03:30Z'))
      expect(parse('2026-03-08T02:30', newYork), 'skipped').toBe(at('2026-03-08T03:30-04:00'))
    }
    for (const text of [
      '27.11.2026',
      '2026-02-30',
      '2026-02-30T09:00',
      '2026-11-27T25:00',
      '',
      'today',
    ])
      expect(parseRangeStart(text, newYork), text).toBeUndefined()
  })

  test('a time carries the offset of its season', () => {
    expect(formatIsoTime(at('2026-11-27T14:15Z'), newYork)).toBe('2026-11-27T09:15:00.000-05:00')
    expect(formatIsoTime(at('2026-07-01T14:15Z'), newYork)).toBe('2026-07-01T10:15:00.000-04:00')
    expect(formatIsoTime(at('2026-07-01T14:15Z'), 'Asia/Kolkata')).toMatch(/T19:45:00\.000\+05:30$/)
  })
})

test.each([
  ['UTC', 'UTC'],
  ['america/new_york', newYork],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['', undefined],
  ['Mars/Olympus', undefined],
  ['2026-11-27T00:00[America/New_York]', undefined],
])('the zone %j is %s', (text, zone) => expect(parseTimeZone(text)).toBe(zone))
