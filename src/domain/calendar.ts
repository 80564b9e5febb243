import { day as dayMs } from './durations.ts'

/**
 * A calendar date in the school's time zone, as the epoch milliseconds of midnight UTC on that date. Adding a multiple
 * of `day` in durations.ts gives another date, whatever the clocks do. Dates format a day with `timeZone: 'UTC'`.
 */
export type Day = number

/** A period from `since` up to, but not including, `until`, in epoch milliseconds. */
export interface TimeRange {
  readonly since: number
  readonly until: number
}

const toLocal = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)

const toPlainDate = (day: Day) => toLocal(day, 'UTC').toPlainDate()

const fromPlainDate = (date: Temporal.PlainDate): Day =>
  date.toZonedDateTime('UTC').epochMilliseconds

const toOffset = ({ offsetNanoseconds }: Temporal.ZonedDateTime): number =>
  offsetNanoseconds / 1_000_000

/** Returns the zone's name in its usual case, such as `America/New_York`; undefined if this process lacks the zone. */
export function parseTimeZone(text: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text })
    return toLocal(0, text).timeZoneId
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Finds the date of a time. @param at epoch milliseconds */
export const toDay = (at: number, zone: string): Day => {
  const local = at + toOffset(toLocal(at, zone))
  return local - (((local % dayMs) + dayMs) % dayMs)
}

/** Finds when a day begins, in epoch milliseconds: at midnight, or later if clocks skip midnight. */
export const startOfDay = (day: Day, zone: string): number =>
  toPlainDate(day).toZonedDateTime(zone).epochMilliseconds

/** Finds when the days from `first` to `last`, both included, begin and end. Days on which clocks change have 23 or 25 hours. */
export const toTimeRange = (first: Day, last: Day, zone: string): TimeRange => ({
  since: startOfDay(first, zone),
  until: startOfDay(last + dayMs, zone),
})

/** Finds when another day has the same time on the clock as `at`, for comparisons up to the same time of day. */
export const atSameTimeOfDay = (at: number, day: Day, zone: string): number => {
  const plainTime = toLocal(at, zone).toPlainTime()
  return toPlainDate(day).toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds
}

/** The first Monday of the Unix epoch. */
const firstMonday = 4 * dayMs

/** Returns the Monday of the day's week. */
export const startOfWeek = (day: Day): Day => day - ((day - firstMonday) % (7 * dayMs))

export const startOfMonth = (day: Day): Day => fromPlainDate(toPlainDate(day).with({ day: 1 }))

/** Returns the same day of another month, or the last day of a shorter month. */
export const addMonths = (day: Day, months: number): Day =>
  fromPlainDate(toPlainDate(day).add({ months }))

/** Returns, for example, `2026-11-27`. */
export const formatDay = (day: Day): string => new Date(day).toISOString().slice(0, 10)

/** Returns, for example, `2026-11`. */
export const formatMonth = (day: Day): string => formatDay(day).slice(0, 7)

/** Parses a date such as `2026-11-27`; undefined for any other text and for dates that don't exist. */
export function parseDay(text: string): Day | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  // `Date.parse` may turn `2026-02-30` into March 2.
  return Number.isNaN(day) || formatDay(day) !== text ? undefined : day
}

/** Parses a date as people type it, such as `2026-11-27` or `11/27/2026`; undefined for any other text. */
export function parseTypedDay(text: string): Day | undefined {
  const [, month = '', day = '', year] = /^(\d\d?)\/(\d\d?)\/(\d{4})$/.exec(text.trim()) ?? []
  return parseDay(
    year === undefined ? text.trim() : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  )
}

/** Parses a month such as `2026-11`. @returns the month's first day */
export const parseMonth = (text: string): Day | undefined => parseDay(`${text}-01`)

/** Formats a time with the zone's offset, such as `2026-11-27T09:15:00.000-05:00`, or with `Z` in UTC. */
export const formatIsoTime = (at: number, zone: string): string =>
  toLocal(at, zone)
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 3 })
    .replace('+00:00', 'Z')

const timePattern = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/

/**
 * Parses the start of a range: a date such as `2026-11-30`, or a time such as `2026-11-30T09:00`, in the zone or with
 * `Z` or an offset. A time that clocks skip or repeat is the later or the earlier one.
 *
 * @returns epoch milliseconds; undefined for any other text
 */
export function parseRangeStart(text: string, zone: string): number | undefined {
  const [, date, time, offset] = timePattern.exec(text) ?? []
  const day = date === undefined ? undefined : parseDay(date)
  if (day === undefined || time === undefined) return day && startOfDay(day, zone)
  const at = Date.parse(offset === undefined ? `${text}Z` : text)
  if (Number.isNaN(at)) return undefined
  return offset === undefined
    ? toLocal(at, 'UTC').toPlainDateTime().toZonedDateTime(zone).epochMilliseconds
    : at
}

/** Parses the end of a range. A date without a time includes the whole day. */
export function parseRangeEnd(text: string, zone: string): number | undefined {
  const day = parseDay(text)
  return day === undefined ? parseRangeStart(text, zone) : startOfDay(day + dayMs, zone)
}

export const makeInvalidDayMessage = (text: string): string =>
  `“${text}” is not a date: write it like 2026-11-30.`

/** For a part of a range: how far the zone's clocks are ahead of UTC, in milliseconds, up to `until`. */
export interface ZoneOffset {
  readonly until: number
  readonly offset: number
}

/**
 * Lists the offsets of a zone within a range, earliest first. A time's day is the date of `time + offset` in UTC, which
 * databases can compute exactly without knowing zones.
 */
export function listOffsets({ since, until }: TimeRange, zone: string): readonly ZoneOffset[] {
  const offsets: ZoneOffset[] = []
  let at: Temporal.ZonedDateTime | null = toLocal(since, zone)
  while (at !== null && at.epochMilliseconds < until) {
    const next: Temporal.ZonedDateTime | null = at.getTimeZoneTransition('next')
    const ends = next?.epochMilliseconds ?? Number.POSITIVE_INFINITY
    offsets.push({ until: Math.min(ends, until), offset: toOffset(at) })
    at = next
  }
  return offsets
}
