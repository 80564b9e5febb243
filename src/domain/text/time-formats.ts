import type { Day } from '../calendar.ts'
import { day, hour, minute } from '../durations.ts'
import type { PeriodUnit } from '../measuring/periods.ts'

const dayFormat = /* @__PURE__ */ new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeZone: 'UTC',
})

/** Returns, for example, `Nov 22, 2026`. */
export const describeDay = (date: Day): string => dayFormat.format(date)

const monthFormat = /* @__PURE__ */ new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Names a day, week or month, as in `Week of Nov 23, 2026`. @param first its first day */
export const describeUnit = (unit: PeriodUnit, first: Day): string =>
  unit === 'month'
    ? monthFormat.format(first)
    : `${unit === 'week' ? 'Week of ' : ''}${describeDay(first)}`

/** Returns the first and the last day of a period, as in `Nov 1, 2026 – Nov 30, 2026`. */
export const describeDays = ({
  first,
  last,
}: {
  readonly first: Day
  readonly last: Day
}): string => (first === last ? describeDay(first) : `${describeDay(first)} – ${describeDay(last)}`)

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
