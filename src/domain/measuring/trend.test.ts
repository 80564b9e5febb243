import { expect, test } from 'vitest'
import { formatDay, parseDay } from '../calendar.ts'
import { chooseUnit, describeSpan, listSpans } from './trend.ts'

const days = (first: string, last: string) => ({
  first: parseDay(first) ?? 0,
  last: parseDay(last) ?? 0,
})

test('a range of weeks is drawn by day, of a year by week, and of many years by month', () => {
  expect(chooseUnit(days('2026-11-01', '2026-11-28'), undefined).unit).toBe('day')
  expect(chooseUnit(days('2025-11-29', '2026-11-28'), undefined).unit).toBe('week')
  expect(chooseUnit(days('2020-01-01', '2026-11-28'), undefined).unit).toBe('month')
  expect(chooseUnit(days('2026-11-01', '2026-11-28'), 'week').unit).toBe('week')
})

test('a unit that the range can’t show is not offered, and the usual one is drawn', () => {
  const one = days('2026-11-28', '2026-11-28')
  expect(chooseUnit(one, 'month')).toEqual({ unit: 'day', fitting: ['day'] })
  const many = days('2020-01-01', '2026-11-28')
  expect(chooseUnit(many, 'day')).toEqual({ unit: 'month', fitting: ['week', 'month'] })
})

test('weeks of which the range has only a part say their days', () => {
  const spans = listSpans(days('2026-11-05', '2026-11-20'), 'week', false)
  expect(spans.map((span) => describeSpan(span, 'week'))).toEqual([
    'Nov 5, 2026 – Nov 8, 2026',
    'Week of Nov 9, 2026',
    'Nov 16, 2026 – Nov 20, 2026',
  ])
})

test('a day that still runs is no whole day', () => {
  const spans = listSpans(days('2026-11-27', '2026-11-28'), 'day', true)
  expect(spans.map((span) => [formatDay(span.first), span.isWhole])).toEqual([
    ['2026-11-27', true],
    ['2026-11-28', false],
  ])
})

test('the longest range keeps its latest months', () => {
  const spans = listSpans(days('1900-01-01', '2026-11-30'), 'month', false)
  expect(spans).toHaveLength(400)
  expect(spans.at(-1)).toMatchObject({ isWhole: true, last: parseDay('2026-11-30') })
})
