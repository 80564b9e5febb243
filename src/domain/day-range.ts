import { day } from './durations.ts'

/**
 * Parses the start of a range: a UTC date such as `2026-11-30`, or an exact time with `Z` or an offset.
 *
 * @returns epoch milliseconds; undefined for any other text
 */
export function parseRangeStart(text: string): number | undefined {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? []
  const [midnight, at] = [Date.parse(day ?? ''), Date.parse(text)]
  if (day === undefined || Number.isNaN(midnight) || Number.isNaN(at)) return undefined
  // `Date.parse` turns `2026-02-30` into March 2.
  return new Date(midnight).toISOString().startsWith(day) ? at : undefined
}

/** Parses the end of a range. A date without a time includes the whole day. */
export function parseRangeEnd(text: string): number | undefined {
  const at = parseRangeStart(text)
  return at !== undefined && !text.includes('T') ? at + day : at
}

export const makeInvalidDayMessage = (text: string): string =>
  `“${text}” is not a date: write it like 2026-11-30.`
