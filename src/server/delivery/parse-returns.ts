import { isLeadId } from '#domain/lead/lead.ts'
import { toPlainLineUpTo } from '#domain/text/plain-line.ts'
import {
  countCsvRecords,
  type LineFault,
  openCsv,
  parseLongCsv,
} from '#server/platform/csv-lines.ts'
import { removeFormulaMarks } from '#server/platform/export-formats.ts'

export const returnFields = ['lead', 'date', 'reason'] as const

/** The heading of each column in the distributor's file. `reason` is empty for a file without reasons. */
export type ReturnColumns = Readonly<Record<(typeof returnFields)[number], string>>

export const defaultReturnColumns: ReturnColumns = {
  lead: 'reference',
  date: 'date',
  reason: 'reason',
}

/** The most returned leads in one file, because one transaction stores them all, and enquiries wait for it. */
export const maxReturnLines = 10_000

/** The most bytes and columns of one file. */
export const maxReturnsBytes = 2 * 1024 * 1024
const maxColumns = 100

const maxReturnReasonLength = 200

/** The most characters of a file's headings that an error message shows. */
const maxShownHeadings = 500

export interface ReturnLine {
  readonly line: number
  readonly leadId: string
  /** Epoch milliseconds: see `parseReturnTime`. */
  readonly returnedAt: number
  readonly reason: string | null
}

export interface ParsedReturns {
  readonly returns: readonly ReturnLine[]
  readonly faults: readonly LineFault[]
  /** An error message for each column that the file lacks. */
  readonly columns: Readonly<Partial<ReturnColumns>>
}

/**
 * Parses CSV with headings, separated by commas, semicolons or tabs. A file with faults is not imported.
 * @param zone the time zone of times without an offset
 */
export async function parseReturns(
  text: string,
  columns: ReturnColumns,
  zone: string,
): Promise<ParsedReturns> {
  const refuse = (...faults: LineFault[]) => ({ returns: [], faults, columns: {} })
  if (Buffer.byteLength(text) > maxReturnsBytes) {
    return refuse({ line: 1, message: 'a file may have 2 MB: split it' })
  }
  const file = openCsv(text)
  const count = (await countCsvRecords(file)) - 1
  if (count > maxReturnLines) {
    const message = `a file may have ${format(maxReturnLines)} lines, not ${format(count)}: split it`
    return refuse({ line: 1, message })
  }
  const faults: LineFault[] = []
  const returns: ReturnLine[] = []
  const lineOfLead = new Map<string, number>()
  let columnIndexes: readonly number[] | undefined
  for await (const { line, values } of parseLongCsv(file, faults)) {
    if (values.length > maxColumns) {
      const found = format(values.length)
      const advice = 'keep only the ids, dates and reasons'
      const message = `a line may have ${maxColumns} columns, not ${found}: ${advice}`
      faults.push({ line, message })
      continue
    }
    if (columnIndexes === undefined) {
      // A fault before this record is in the line of headings, without which no line can be read.
      if (faults.length > 0) return refuse(...faults)
      columnIndexes = findColumns(values, columns)
      const missing = findMissingColumns(columnIndexes, values, columns)
      if (missing !== undefined) return { returns: [], faults, columns: missing }
      continue
    }
    const [lead = '', date = '', reason = ''] = columnIndexes.map((at) => values[at] ?? '')
    const leadId = lead.toLowerCase()
    const returnedAt = parseReturnTime(date, zone)
    const earlier = lineOfLead.get(leadId)
    lineOfLead.set(leadId, earlier ?? line)
    const message = !isLeadId(leadId)
      ? `${quote(lead)} is not a lead’s id, which has 36 characters`
      : earlier !== undefined
        ? `the lead is on line ${earlier} already`
        : returnedAt === 'clock change'
          ? `${quote(date)} is no single time in ${zone}, because clocks change: add an offset, like -05:00`
          : returnedAt === undefined
            ? `${quote(date)} is not a date: write it like 2026-11-30 or 11/30/2026`
            : values.some(containsLines)
              ? 'a value in quotes contains other lines: close its quote (")'
              : undefined
    if (message !== undefined) faults.push({ line, message })
    else if (typeof returnedAt === 'number') {
      const kept = toPlainLineUpTo(removeFormulaMarks(reason), maxReturnReasonLength)
      returns.push({ line, leadId, returnedAt, reason: kept || null })
    }
  }
  if (columnIndexes !== undefined || faults.length > 0) return { returns, faults, columns: {} }
  return { returns, faults, columns: findMissingColumns([], [], columns) ?? {} }
}

const format = (count: number): string => count.toLocaleString('en-US')

const findColumns = (headings: readonly string[], columns: ReturnColumns): readonly number[] =>
  returnFields.map((field) =>
    headings.map(normalizeHeading).indexOf(normalizeHeading(columns[field])),
  )

/** Returns an error message for each column that the file lacks; undefined if it lacks none. */
function findMissingColumns(
  columnIndexes: readonly number[],
  headings: readonly string[],
  columns: ReturnColumns,
): ParsedReturns['columns'] | undefined {
  const missing = returnFields.filter(
    (field, index) =>
      (columnIndexes[index] ?? -1) === -1 && !(field === 'reason' && columns.reason === ''),
  )
  if (missing.length === 0) return undefined
  const known =
    headings.length === 0
      ? 'The file is empty'
      : toPlainLineUpTo(headings.join(', '), maxShownHeadings)
  const describe = (name: string) => `There is no column “${name}” in: ${known}.`
  return Object.fromEntries(missing.map((field) => [field, describe(columns[field])]))
}

/** Whether an unclosed quote seems to have swallowed lines, which would silently not be imported. */
const containsLines = (value: string): boolean =>
  value.includes('\n') && /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/i.test(value)

const quote = (value: string): string => `“${toPlainLineUpTo(value, 40)}”`

/** A spreadsheet may break a heading into lines. */
const normalizeHeading = (heading: string): string =>
  heading.trim().toLowerCase().replace(/\s+/g, ' ')

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
