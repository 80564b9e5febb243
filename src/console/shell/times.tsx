import { type TimeFormat, timeFormats } from '#domain/text/time-formats.ts'

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
