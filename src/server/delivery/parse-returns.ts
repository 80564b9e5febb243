import { isLeadId } from '#domain/lead/lead.ts'
import { toPlainLineUpTo } from '#domain/text/plain-line.ts'
import { removeFormulaMarks } from '#server/platform/export-formats.ts'
import {
  type CsvColumns,
  quoteValue,
  readMappedCsv,
  unclosedQuote,
} from '#server/platform/mapped-csv.ts'

export const returnFields = ['lead', 'date', 'reason'] as const

/** The heading of each column in the distributor's file. `reason` is empty for a file without reasons. */
export type ReturnColumns = CsvColumns<(typeof returnFields)[number]>

export const defaultReturnColumns: ReturnColumns = {
  lead: 'reference',
  date: 'date',
  reason: 'reason',
}

const maxReturnReasonLength = 200

export interface ReturnLine {
  readonly line: number
  readonly leadId: string
  /** Epoch milliseconds: see `parseReturnTime`. */
  readonly returnedAt: number
  readonly reason: string | null
}

/** Reads the distributor's file. @param zone the time zone of times without an offset */
export const parseReturns = (text: string, columns: ReturnColumns, zone: string) =>
  readMappedCsv(text, columns, {
    fields: returnFields,
    optional: 'reason',
    advice: 'keep only the ids, dates and reasons',
    keyOf: ([lead = '']) => lead.toLowerCase(),
    describeRepeat: (line) => `the lead is on line ${line} already`,
    read: ([lead = '', date = '', reason = ''], line, all): ReturnLine | string => {
      const leadId = lead.toLowerCase()
      const returnedAt = parseReturnTime(date, zone)
      if (!isLeadId(leadId))
        return `${quoteValue(lead)} is not a lead’s id, which has 36 characters`
      if (returnedAt === 'clock change')
        return `${quoteValue(date)} is no single time in ${zone}, because clocks change: add an offset, like -05:00`
      if (returnedAt === undefined)
        return `${quoteValue(date)} is not a date: write it like 2026-11-30 or 11/30/2026`
      if (all.some(containsLines)) return unclosedQuote
      const kept = toPlainLineUpTo(removeFormulaMarks(reason), maxReturnReasonLength)
      return { line, leadId, returnedAt, reason: kept || null }
    },
  })

/** Whether an unclosed quote seems to have swallowed lines, which would silently not be imported. */
const containsLines = (value: string): boolean =>
  value.includes('\n') && /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/i.test(value)

const timePattern =
  /^(?:(\d{4})-(\d\d?)-(\d\d?)|(\d\d?)\/(\d\d?)\/(\d\d|\d{4}))(?:[T,\s]\s*(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:\s*([ap])\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/i

/**
 * Parses a date such as `2026-11-30`, `11/30/2026` or `11/30/26`, with or without a time such as `14:05`, `2:05 PM` or
 * `14:05-05:00`. A date alone becomes noon UTC, which is the same date in all U.S. time zones.
 *
 * @param zone the time zone of a time without an offset
 * @returns epoch milliseconds; `clock change` if the zone has the time twice or never; undefined for any other text
 */
export function parseReturnTime(text: string, zone: string): number | 'clock change' | undefined {
  const found = timePattern.exec(text.trim())
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
        hour,
        minute: Number(minute),
        second: Number(second),
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
