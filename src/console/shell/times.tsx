import { formatIsoTime } from '#domain/calendar.ts'
import { useShell } from './shell.tsx'

const styles = {
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  seconds: { dateStyle: 'medium', timeStyle: 'medium' },
  day: { dateStyle: 'medium' },
  clock: { timeStyle: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

type TimeFormat = keyof typeof styles

/** A list shows hundreds of times, and making a format takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function findFormat(style: TimeFormat, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat('en-US', { ...styles[style], timeZone })
  formats.set(key, format)
  return format
}

interface TimestampProps {
  at: number
  format?: TimeFormat
}

/** Shows a time in the school's time zone, which the page's footer names. The `title` is the exact time. */
export function Timestamp({ at, format = 'moment' }: TimestampProps) {
  const { zone } = useShell()
  const exact = formatIsoTime(at, zone)
  return (
    <time dateTime={exact} title={exact}>
      {findFormat(format, zone).format(at)}
    </time>
  )
}
