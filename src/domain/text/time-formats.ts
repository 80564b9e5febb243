import type { FunnelRange } from '#domain/measuring/funnel.ts'
import { day, hour, minute } from '../durations.ts'

/** Makes the formats for times, by default for the browser's language and time zone. */
export function makeTimeFormats(locale?: string, timeZone?: string) {
  const make = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone })
  return {
    moment: make({ dateStyle: 'medium', timeStyle: 'short' }),
    seconds: make({ dateStyle: 'medium', timeStyle: 'medium' }),
    day: make({ dateStyle: 'medium' }),
    clock: make({ timeStyle: 'short' }),
  }
}

export type TimeFormat = keyof ReturnType<typeof makeTimeFormats>

/** In US English and UTC. */
export const timeFormats = /* @__PURE__ */ makeTimeFormats('en-US', 'UTC')

/** Returns, for example, `Nov 22, 2026`, in UTC. */
export const describeDay = (at: number): string => timeFormats.day.format(at)

/** Returns the first and the last day of a period, as in `Nov 1, 2026 – Nov 30, 2026`. */
export const formatRange = ({ since, until }: FunnelRange): string =>
  `${describeDay(since)} – ${describeDay(until - 1)}`

const units = [
  ['d', day],
  ['h', hour],
  ['m', minute],
  ['s', 1000],
] as const

/** Formats the duration of a call or of a page's response, which may be as short as `45 ms`. */
export const formatCallDuration = (ms: number): string =>
  ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : formatDuration(ms)

/** Formats a duration with its two largest units, as in `4 m 12 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return 'less than a second'
  const first = units.findIndex(([, size]) => ms >= size)
  const [unit, size] = units[first] ?? units[3]
  const [nextUnit, nextSize] = units[first + 1] ?? ['', 0]
  const rest = nextSize === 0 ? 0 : Math.floor((ms % size) / nextSize)
  return `${Math.floor(ms / size)} ${unit}${rest === 0 ? '' : ` ${rest} ${nextUnit}`}`
}

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
