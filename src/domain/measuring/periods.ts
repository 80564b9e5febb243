import {
  addMonths,
  atSameTimeOfDay,
  type Day,
  startOfDay,
  startOfMonth,
  startOfWeek,
  type TimeRange,
  toDay,
  toTimeRange,
} from '../calendar.ts'
import { day } from '../durations.ts'

/** The ranges that pages and commands offer by name, with their labels. */
export const rangeLabels = {
  today: 'Today',
  yesterday: 'Yesterday',
  'last-7-days': 'Last 7 days',
  'last-28-days': 'Last 28 days',
  'this-month': 'This month',
  'last-month': 'Last month',
  'quarter-to-date': 'Quarter to date',
} as const

export type RangeName = keyof typeof rangeLabels

export const rangeNames = Object.keys(rangeLabels) as readonly RangeName[]

export const defaultRange: RangeName = 'last-28-days'

/** What a range is compared with: the period just before, or the same dates a year earlier. */
export const comparedPeriods = ['before', 'year'] as const

export type ComparedPeriod = (typeof comparedPeriods)[number]

/** A range by name, or the days from `from` to `to`, which win over the name. */
export interface RangeRequest {
  readonly range?: RangeName | undefined
  readonly from?: Day | undefined
  readonly to?: Day | undefined
  readonly compare?: ComparedPeriod | undefined
}

/** The days from `first` to `last`, both included; `until` is earlier than the end of a day that still runs. */
export interface Period extends TimeRange {
  readonly first: Day
  readonly last: Day
}

export type ComparedPeriods = Readonly<Record<'range' | 'before', Period>>

/** The number of months by which the comparison of a range moves back; the other ranges move by their own days. */
const monthsOf: Readonly<Partial<Record<RangeName, number>>> = {
  'this-month': 1,
  'last-month': 1,
  'quarter-to-date': 3,
}

function findRange(name: RangeName, today: Day): readonly [first: Day, last: Day] {
  const month = startOfMonth(today)
  switch (name) {
    case 'today':
      return [today, today]
    case 'yesterday':
      return [today - day, today - day]
    case 'last-7-days':
      return [today - 6 * day, today]
    case 'last-28-days':
      return [today - 27 * day, today]
    case 'this-month':
      return [month, today]
    case 'last-month':
      return [addMonths(month, -1), month - day]
    case 'quarter-to-date':
      return [addMonths(month, -(new Date(month).getUTCMonth() % 3)), today]
  }
}

/** Counts the months that the days fill entirely; undefined if the days don't begin and end with a month. */
function countWholeMonths(first: Day, last: Day): number | undefined {
  if (first !== startOfMonth(first) || last + day !== startOfMonth(last + day)) return undefined
  const [from, to] = [new Date(first), new Date(last)]
  return (
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth() + 1
  )
}

/**
 * Finds the requested days up to now, and the days to compare them with: as many days just before, whole months with
 * the months before, or the same dates a year earlier. A range that still runs is compared up to the same time of day.
 * @param now epoch milliseconds
 */
export function makeComparedPeriods(
  { range: name = defaultRange, from, to, compare = 'before' }: RangeRequest,
  now: number,
  zone: string,
): ComparedPeriods {
  const today = toDay(now, zone)
  const isNamed = from === undefined && to === undefined
  const asked = isNamed
    ? findRange(name, today)
    : ([from ?? (to ?? today) - 27 * day, to ?? today] as const)
  const last = Math.min(asked[1], today)
  const first = Math.min(asked[0], last)
  const months = compare === 'year' ? 12 : isNamed ? monthsOf[name] : countWholeMonths(...asked)
  const isRunning = last === today
  const shift = (date: Day): Day =>
    months === undefined ? date - (last - first + day) : addMonths(date, -months)
  const endsMonths = !isRunning && countWholeMonths(first, last) !== undefined
  const end = endsMonths ? shift(last + day) - day : shift(last)
  const before = { first: shift(first), last: end, ...toTimeRange(shift(first), end, zone) }
  if (!isRunning) return { range: { first, last, ...toTimeRange(first, last, zone) }, before }
  const until = Math.min(before.until, atSameTimeOfDay(now, end, zone))
  return {
    range: { first, last, since: startOfDay(first, zone), until: now },
    before: { ...before, until },
  }
}

/** The units in which counts of days can be added up. */
export const periodUnits = ['day', 'week', 'month'] as const

export type PeriodUnit = (typeof periodUnits)[number]

/** Returns the first day of a day's unit, for example of its week. */
export const startOfUnit = (date: Day, unit: PeriodUnit): Day =>
  unit === 'day' ? date : unit === 'week' ? startOfWeek(date) : startOfMonth(date)

/** Returns the last day of the unit that begins with the given day. */
export const endOfUnit = (first: Day, unit: PeriodUnit): Day =>
  unit === 'day' ? first : unit === 'week' ? first + 6 * day : addMonths(first, 1) - day

/** Why an earlier period can't be compared; undefined if it can. */
export interface Comparison {
  readonly noVisits: string | undefined
  readonly noLeads: string | undefined
}

/** Says why a period can't be compared with the earlier one; empty if it can. */
export function describeMissingComparison({ noVisits, noLeads }: Comparison): string {
  const reasons = [noVisits, noLeads].filter((reason) => reason !== undefined)
  if (reasons.length === 0) return ''
  const scope = noLeads === undefined ? ' of visits' : noVisits === undefined ? ' of leads' : ''
  return `No comparison${scope}: ${reasons.join(', and ')}.`
}
