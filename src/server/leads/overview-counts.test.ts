import { expect, test } from 'vitest'
import { formatDay } from '#domain/calendar.ts'
import { findMedian } from '#domain/median.ts'
import { listComparedDays } from './overview-counts.ts'

const hour = 3_600_000

test('today and the seven days before it, each up to the same time', () => {
  const days = listComparedDays(Date.UTC(2026, 10, 22, 14, 30), 'UTC')
  expect(days.map(({ date }) => formatDay(date))).toEqual([
    '2026-11-22',
    '2026-11-21',
    '2026-11-20',
    '2026-11-19',
    '2026-11-18',
    '2026-11-17',
    '2026-11-16',
    '2026-11-15',
  ])
  expect(days[1]).toEqual({
    date: Date.UTC(2026, 10, 21),
    since: Date.UTC(2026, 10, 21),
    until: Date.UTC(2026, 10, 21, 14, 30),
  })
})

test('a day begins where the school is', () => {
  const [today] = listComparedDays(Date.UTC(2026, 10, 22, 3), 'America/New_York')
  expect(today).toMatchObject({
    date: Date.UTC(2026, 10, 21),
    since: Date.UTC(2026, 10, 21, 5),
  })
})

test('a day with a time change has an hour more or less by the same time', () => {
  const days = listComparedDays(Date.UTC(2026, 10, 3, 17), 'America/New_York')
  const sunday = days.find(({ date }) => formatDay(date) === '2026-11-01')
  expect(sunday && sunday.until - sunday.since).toBe(13 * hour)
})

test('the median of several values', () => {
  expect(findMedian([])).toBeUndefined()
  expect(findMedian([7, 1, 3])).toBe(3)
  expect(findMedian([1, 2, 10, 20])).toBe(6)
})
