import { expect, test } from 'vitest'
import { type Cap, emptyCap } from '#domain/delivery/cap.ts'
import { describeHoldEnd, findCapPeriod, makeCapCheck } from './cap-check.ts'

const zone = 'America/New_York'
const lead = { program: 12, affiliateId: null, state: 'TX' }

/** Why the cap holds a lead at this time, and until when; undefined if it may go. */
function holdAt(time: string, cap: Partial<Cap>, used = 0) {
  const hold = makeCapCheck({ ...emptyCap, ...cap }, { now: Date.parse(time), zone }).findHold(
    lead,
    used,
  )
  return hold && [new Date(hold.until).toISOString(), hold.because]
}

test('a day and a month end at midnight in the school’s time zone', () => {
  const now = Date.parse('2026-12-01T04:59:59Z')
  const ends = Date.parse('2026-12-01T05:00:00Z')
  expect(findCapPeriod('day', { now, zone })).toMatchObject({ until: ends })
  expect(findCapPeriod('month', { now, zone })).toMatchObject({ until: ends })
  expect(findCapPeriod('month', { now: ends, zone })).toMatchObject({ since: ends })
  const spring = findCapPeriod('day', { now: Date.parse('2026-03-08T12:00:00Z'), zone })
  expect(spring.until - spring.since).toBe(23 * 3_600_000)
})

test.each([
  ['2026-11-25T05:00:00Z', 'until tomorrow'],
  ['2026-11-25T13:30:00Z', 'until tomorrow, 8:30 AM'],
  ['2026-11-24T13:00:00Z', 'until 8:00 AM'],
  ['2026-12-01T05:00:00Z', 'until December 1'],
])('a hold that ends at %s lasts %s for people in New York', (time, words) => {
  const moment = { now: Date.parse('2026-11-24T12:00:00Z'), zone }
  const until = Date.parse(time)
  expect(
    describeHoldEnd({ until, because: 'the cap is reached' }, moment).replace('\u202f', ' '),
  ).toBe(words)
  const blocked = makeCapCheck({ ...emptyCap, blockedStates: ['TX'] }, moment).findHold(lead, 0)
  expect(blocked && describeHoldEnd(blocked, moment)).toBe('until an admin changes the cap')
})

test('a cap holds leads once it is used up, until its period ends', () => {
  const monthly: Partial<Cap> = { maxLeads: 100, period: 'month' }
  expect(holdAt('2026-11-30T12:00:00Z', monthly, 99)).toBeUndefined()
  expect(holdAt('2026-11-30T12:00:00Z', monthly, 100)).toEqual([
    '2026-12-01T05:00:00.000Z',
    'the cap of 100 leads a month is reached',
  ])
  expect(holdAt('2026-11-30T12:00:00Z', monthly, 250), 'lowered below what is used').toBeDefined()
})

test('hours of the day hold leads until they begin', () => {
  const office = { opensAt: 8 * 60, closesAt: 18 * 60 }
  const words = 'leads are sent only from 08:00 to 18:00'
  expect(holdAt('2026-11-24T12:59:00Z', office)).toEqual(['2026-11-24T13:00:00.000Z', words])
  expect(holdAt('2026-11-24T13:00:00Z', office)).toBeUndefined()
  expect(holdAt('2026-11-24T22:59:59Z', office)).toBeUndefined()
  expect(holdAt('2026-11-24T23:00:00Z', office)).toEqual(['2026-11-25T13:00:00.000Z', words])
})

test('hours may begin before midnight and end after it', () => {
  const night = { opensAt: 22 * 60, closesAt: 6 * 60 }
  expect(holdAt('2026-11-25T02:59:00Z', night)?.[0]).toBe('2026-11-25T03:00:00.000Z')
  expect(holdAt('2026-11-25T03:00:00Z', night)).toBeUndefined()
  expect(holdAt('2026-11-25T10:59:00Z', night)).toBeUndefined()
  expect(holdAt('2026-11-25T11:00:00Z', night)?.[0]).toBe('2026-11-26T03:00:00.000Z')
})

test('hours begin at the right time on days when the clock changes', () => {
  const early = { opensAt: 90, closesAt: 5 * 60 }
  // On March 8 the clock goes from 2:00 to 3:00, on November 1 from 2:00 back to 1:00.
  expect(holdAt('2026-03-08T05:30:00Z', { opensAt: 150, closesAt: 300 })?.[0]).toBe(
    '2026-03-08T07:30:00.000Z',
  )
  expect(holdAt('2026-11-01T05:15:00Z', early)?.[0]).toBe('2026-11-01T05:30:00.000Z')
  // The second 1:15 is after the first 1:30, so the next try is a minute later, not in the past.
  expect(holdAt('2026-11-01T06:15:00Z', early)?.[0]).toBe('2026-11-01T06:16:00.000Z')
  expect(holdAt('2026-11-01T06:30:00Z', early)).toBeUndefined()
  const office = { opensAt: 8 * 60, closesAt: 18 * 60 }
  expect(holdAt('2026-10-31T23:00:00Z', office)?.[0], 'standard time').toBe(
    '2026-11-01T13:00:00.000Z',
  )
})

test('weekdays and listed days hold leads until the next open day begins', () => {
  const weekdays = [1, 2, 3, 4, 5]
  // 2026-12-24 is a Thursday.
  const christmas = { holidays: ['2026-12-25'] }
  expect(holdAt('2026-12-25T04:59:59Z', christmas)).toBeUndefined()
  expect(holdAt('2026-12-25T05:00:00Z', christmas)).toEqual([
    '2026-12-26T05:00:00.000Z',
    'leads are not sent on 2026-12-25',
  ])
  expect(holdAt('2026-12-26T05:00:00Z', christmas)).toBeUndefined()
  const office = { ...christmas, weekdays, opensAt: 8 * 60, closesAt: 18 * 60 }
  expect(holdAt('2026-12-24T22:59:00Z', office)).toBeUndefined()
  expect(holdAt('2026-12-24T23:00:00Z', office)).toEqual([
    '2026-12-28T13:00:00.000Z',
    'leads are sent only on Mon–Fri, from 08:00 to 18:00, not on 2026-12-25',
  ])
  expect(holdAt('2026-12-26T15:00:00Z', office), 'a Saturday at ten').toEqual([
    '2026-12-28T13:00:00.000Z',
    'leads are sent only on Mon–Fri, from 08:00 to 18:00',
  ])
  expect(holdAt('2026-12-28T12:00:00Z', office)?.[0]).toBe('2026-12-28T13:00:00.000Z')
  expect(holdAt('2026-12-28T13:00:00Z', office)).toBeUndefined()
})

test('a cap that is full on a Friday holds until its hours begin on Monday', () => {
  const cap = { maxLeads: 5, weekdays: [1, 2, 3, 4, 5], opensAt: 8 * 60, closesAt: 18 * 60 }
  expect(holdAt('2026-11-27T20:00:00Z', cap, 5)).toEqual([
    '2026-11-30T13:00:00.000Z',
    'the cap of 5 leads a day is reached',
  ])
})

test('hours that pass midnight follow the calendar’s days', () => {
  const night = { weekdays: [5, 7], opensAt: 22 * 60, closesAt: 6 * 60 }
  expect(holdAt('2026-12-26T04:59:00Z', night), 'Friday, 23:59').toBeUndefined()
  expect(holdAt('2026-12-26T05:00:00Z', night)?.[0], 'until Sunday begins').toBe(
    '2026-12-27T05:00:00.000Z',
  )
  expect(holdAt('2026-12-27T10:59:00Z', night), 'Sunday, 5:59').toBeUndefined()
  expect(holdAt('2026-12-27T11:00:00Z', night)?.[0]).toBe('2026-12-28T03:00:00.000Z')
  const untilMidnight = { opensAt: 22 * 60, closesAt: 0, weekdays: [5] }
  expect(holdAt('2026-12-26T05:00:00Z', untilMidnight)?.[0]).toBe('2027-01-02T03:00:00.000Z')
})

test('the next open day begins at the right time when clocks change, and after many closed days', () => {
  const weekdays = [1]
  expect(holdAt('2026-03-07T12:00:00Z', { weekdays })?.[0]).toBe('2026-03-09T04:00:00.000Z')
  expect(holdAt('2026-10-31T12:00:00Z', { weekdays })?.[0]).toBe('2026-11-02T05:00:00.000Z')
  const mondays = Array.from({ length: 100 }, (_, week) =>
    new Date(Date.UTC(2026, 10, 30 + 7 * week)).toISOString().slice(0, 10),
  )
  expect(holdAt('2026-11-28T12:00:00Z', { weekdays, holidays: mondays })?.[0]).toBe(
    '2028-10-30T04:00:00.000Z',
  )
})

test('a blocked state’s leads are held, and checked again each day', () => {
  expect(holdAt('2026-11-24T12:00:00Z', { blockedStates: ['CA', 'TX'] })).toEqual([
    '2026-11-25T05:00:00.000Z',
    'leads from TX are not sent until an admin changes the cap',
  ])
  expect(holdAt('2026-11-24T12:00:00Z', { blockedStates: ['CA'] })).toBeUndefined()
})

test('the distributor’s answer makes a cap full until the month ends', () => {
  const full: Partial<Cap> = { maxLeads: 100, fullSince: Date.parse('2026-11-24T12:00:00Z') }
  expect(holdAt('2026-12-01T04:59:59Z', full)?.[0]).toBe('2026-12-01T05:00:00.000Z')
  expect(holdAt('2026-12-01T05:00:00Z', full)).toBeUndefined()
})
