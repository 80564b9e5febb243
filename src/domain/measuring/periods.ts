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

/**
 * The ranges that pages and commands offer by name. `months` is the number of months by which the comparison moves back;
 * the other ranges move by their own days.
 */
const ranges = {
  today: { label: 'Today', find: (today) => [today, today] },
  yesterday: { label: 'Yesterday', find: (today) => [today - day, today - day] },
  'last-7-days': { label: 'Last 7 days', find: (today) => [today - 6 * day, today] },
  'last-28-days': { label: 'Last 28 days', find: (today) => [today - 27 * day, today] },
  'this-month': { label: 'This month', months: 1, find: (today) => [startOfMonth(today), today] },
  'last-month': {
    label: 'Last month',
    months: 1,
    find: (today) => [addMonths(startOfMonth(today), -1), startOfMonth(today) - day],
  },
  'quarter-to-date': {
    label: 'Quarter to date',
    months: 3,
    find: (today) => [addMonths(startOfMonth(today), -(new Date(today).getUTCMonth() % 3)), today],
  },
} as const satisfies Readonly<Record<string, NamedRange>>

interface NamedRange {
  readonly label: string
  readonly months?: number
  readonly find: (today: Day) => readonly [first: Day, last: Day]
}

export type RangeName = keyof typeof ranges

export const rangeNames = Object.keys(ranges) as readonly RangeName[]

export const describeRange = (name: RangeName): string => ranges[name].label

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
 */
export function makeComparedPeriods(
  { range: name = defaultRange, from, to, compare = 'before' }: RangeRequest,
  now: number,
  zone: string,
): ComparedPeriods {
  const today = toDay(now, zone)
  const isNamed = from === undefined && to === undefined
  const named: NamedRange = ranges[name]
  const asked = isNamed
    ? named.find(today)
    : ([from ?? (to ?? today) - 27 * day, to ?? today] as const)
  const last = Math.min(asked[1], today)
  const first = Math.min(asked[0], last)
  const months = compare === 'year' ? 12 : isNamed ? named.months : countWholeMonths(...asked)
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
