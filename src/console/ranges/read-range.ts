import { type Day, makeInvalidDayMessage, parseDay, toDay } from '#domain/calendar.ts'
import { oneOf } from '#domain/lead/lead-filter.ts'
import {
  type ComparedPeriods,
  comparedPeriods,
  defaultRange,
  describeRange,
  makeComparedPeriods,
  periodUnits,
  type RangeRequest,
  rangeNames,
} from '#domain/measuring/periods.ts'
import { type Message, makeFieldMessage } from '#domain/operator/messages.ts'

/** The parsers of the parameters that choose a page's range, for `parsePageFilter`. */
export const rangeParsers = {
  range: { parse: oneOf(rangeNames) },
  from: { parse: parseDay, explain: makeInvalidDayMessage },
  to: { parse: parseDay, explain: makeInvalidDayMessage },
  compare: { parse: oneOf(comparedPeriods) },
  /** The unit of the page's lines. */
  unit: { parse: oneOf(periodUnits) },
}

export type RangeField = keyof typeof rangeParsers

/** Picks the texts that choose the range and the comparison, which a page's filter keeps. */
export const pickRangeTexts = (
  given: Readonly<Record<RangeField, string>> & { readonly by?: string },
): Readonly<Record<string, string>> => {
  const { range, from, to, compare, unit, by = '' } = given
  return { range, from, to, compare, unit, by }
}

type RangeFaults = Partial<Record<RangeField, string>>

interface ParsedRange {
  readonly values: RangeRequest
  /** This function adds the faults of the range. */
  readonly faults: RangeFaults
}

const isRangeWrong = ({ unit: _, ...faults }: RangeFaults): boolean =>
  Object.keys(rangeParsers).some((name) => name in faults)

/** Says what a page shows in spite of errors in its URL; undefined without an error. */
export const describeFaults = (faults: RangeFaults): Message | undefined =>
  Object.keys(faults).length === 0
    ? undefined
    : makeFieldMessage(
        faults,
        isRangeWrong(faults)
          ? `The days have an error: the page shows the ${describeRange(defaultRange).toLowerCase()}`
          : 'The page leaves out what has an error',
      )

/** Finds today, and the days of a page and of its comparison; the default range if the URL's range is invalid. */
export function readRange(
  { values, faults }: ParsedRange,
  now: number,
  zone: string,
): ComparedPeriods & { readonly today: Day } {
  const { from, to } = values
  const today = toDay(now, zone)
  if (from !== undefined && from > today) faults.from = 'This day has not begun.'
  if (from !== undefined && to !== undefined && from > to) {
    faults.to = 'Choose a day on or after the first day.'
  }
  return { today, ...makeComparedPeriods(isRangeWrong(faults) ? {} : values, now, zone) }
}
