import type { FunnelRange } from '#domain/measuring/funnel.ts'
import { makeTimeFormats, type TimeFormat } from './time-formats.ts'

const timeFormats = makeTimeFormats('en-US', 'UTC')

interface TimestampProps {
  /** Epoch milliseconds. */
  at: number
  format?: TimeFormat
}

/** Shows a time in UTC, until the page's script converts it to the operator's time zone. The `title` is the exact time. */
export function Timestamp({ at, format = 'moment' }: TimestampProps) {
  const exact = new Date(at).toISOString()
  return (
    <time dateTime={exact} title={exact} data-format={format}>
      {timeFormats[format].format(at)} UTC
    </time>
  )
}

/** Returns, for example, `Nov 22, 2026`, in UTC. */
export const formatDay = (at: number): string => timeFormats.day.format(at)

/** Returns the first and the last day of a period, as in `Nov 1, 2026 – Nov 30, 2026`. */
export const formatRange = ({ since, until }: FunnelRange): string =>
  `${formatDay(since)} – ${formatDay(until - 1)}`

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
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
