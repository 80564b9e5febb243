import { type Day, formatDay } from '../calendar.ts'
import { day } from '../durations.ts'
import { describeDay, describeDays, describeUnit } from '../text/time-formats.ts'
import { endOfUnit, type PeriodUnit, periodUnits, startOfUnit } from './periods.ts'

/** The days from `first` to `last` of a range that are in the same day, week or month. */
export interface TrendSpan {
  readonly first: Day
  readonly last: Day
  /** False if the range has only a part of the week or month, or if the day still runs. */
  readonly isWhole: boolean
}

interface Days {
  readonly first: Day
  readonly last: Day
}

/** A line of more points could not be read. */
const maxPoints = 400

/** By default, a line has at most this many points, unless each is a month. */
const usualPoints = { day: 45, week: 60 } as const

const countPoints = ({ first, last }: Days, unit: PeriodUnit): number =>
  Math.ceil((last - first + day) / (unit === 'day' ? day : unit === 'week' ? 7 * day : 30 * day))

/** Chooses the unit of a range's lines, and lists the units that fit the range. @param asked by the operator */
export function chooseUnit(days: Days, asked: PeriodUnit | undefined) {
  const fitting = periodUnits.filter((unit) => {
    const points = countPoints(days, unit)
    return unit === 'day' ? points <= maxPoints : points > 1 && points <= maxPoints
  })
  const usual =
    (['day', 'week'] as const).find((unit) => countPoints(days, unit) <= usualPoints[unit]) ??
    'month'
  return { unit: asked !== undefined && fitting.includes(asked) ? asked : usual, fitting }
}

/** Splits the days of a range into spans, earliest first; of a very long range, it keeps the latest. */
export function listSpans({ first, last }: Days, unit: PeriodUnit, isRunning: boolean) {
  const spans: TrendSpan[] = []
  for (let end = last; end >= first && spans.length < maxPoints; ) {
    const start = startOfUnit(end, unit)
    const isWhole = start >= first && end === endOfUnit(start, unit) && !(isRunning && end === last)
    spans.unshift({ first: Math.max(start, first), last: end, isWhole })
    end = start - day
  }
  return spans
}

/** Names a span by its day, or by its unit if the range has all of it. */
export const describeSpan = ({ first, last, isWhole }: TrendSpan, unit: PeriodUnit): string =>
  unit === 'day' || first === last
    ? `${describeDay(first)}${isWhole || unit !== 'day' ? '' : ' (so far)'}`
    : isWhole
      ? describeUnit(unit, first)
      : describeDays({ first, last })

/** Returns a short label such as `Nov 3`. */
export const describeShortDay = (date: Day): string => shortDay.format(date)

const shortDay = /* @__PURE__ */ new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** The key by which counts find their span. */
export const toSpanKey = (date: Day, unit: PeriodUnit): string => formatDay(startOfUnit(date, unit))
