const pattern =
  /^(?:(\d{4})-(\d\d?)-(\d\d?)|(\d\d?)\/(\d\d?)\/(\d\d|\d{4}))(?:[T,\s]\s*(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:\s*([ap])\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/i

/**
 * Parses a date such as `2026-11-30`, `11/30/2026` or `11/30/26`, with or without a time such as `14:05`, `2:05 PM` or
 * `14:05-05:00`. A date alone becomes noon UTC, which is the same date in all U.S. time zones.
 *
 * @param zone the time zone of a time without an offset
 * @returns epoch milliseconds; `clock change` if the zone has the time twice or never; undefined for any other text
 */
export function parseReturnTime(text: string, zone: string): number | 'clock change' | undefined {
  const found = pattern.exec(text.trim())
  if (found === null) return undefined
  const [, isoYear, isoMonth, isoDay, usMonth, usDay, usYear, ...time] = found
  const [typedHour, minute = '0', second = '0', fraction = '', half, offset] = time
  if (half && (Number(typedHour) < 1 || Number(typedHour) > 12)) return undefined
  const hour = half
    ? (Number(typedHour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
    : Number(typedHour ?? 12)
  let local: Temporal.PlainDateTime
  try {
    local = Temporal.PlainDateTime.from(
      {
        year: Number(isoYear ?? (usYear?.length === 2 ? `20${usYear}` : usYear)),
        month: Number(isoMonth ?? usMonth),
        day: Number(isoDay ?? usDay),
        ...{ hour, minute: Number(minute), second: Number(second) },
        millisecond: Number(fraction.padEnd(3, '0').slice(0, 3)),
      },
      { overflow: 'reject' },
    )
    const isUtc = typedHour === undefined || (offset && /^[zug]/i.test(offset))
    if (isUtc) return local.toZonedDateTime('UTC').epochMilliseconds
    if (offset) return local.toZonedDateTime(offset).epochMilliseconds
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  const [earlier, later] = (['earlier', 'later'] as const).map(
    (disambiguation) => local.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
  )
  return earlier === later ? earlier : 'clock change'
}
