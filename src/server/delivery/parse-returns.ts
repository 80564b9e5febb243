import { parseRangeStart } from '#domain/day-range.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import { toPlainLineUpTo } from '#domain/text/plain-line.ts'
import { countCsvLines, type LineFault, parseCsvLines } from '#server/platform/csv-lines.ts'

export const returnFields = ['lead', 'date', 'reason'] as const

/** The heading of each column in the distributor's file. `reason` is empty for a file without reasons. */
export type ReturnColumns = Readonly<Record<(typeof returnFields)[number], string>>

export const defaultReturnColumns: ReturnColumns = {
  lead: 'reference',
  date: 'date',
  reason: 'reason',
}

/** The most returned leads in one file, because one statement stores them all. */
export const maxReturnLines = 10_000

/** The most bytes and columns of one file. Parsing must be short, because the process can do nothing else meanwhile. */
export const maxReturnsBytes = 2 * 1024 * 1024
const maxColumns = 100

const maxReturnReasonLength = 200

/** The most characters of a file's headings that an error message shows. */
const maxShownHeadings = 500

export interface ReturnLine {
  readonly line: number
  readonly leadId: string
  /** Epoch milliseconds. A date without a time becomes noon UTC, which is the same date in all U.S. time zones. */
  readonly returnedAt: number
  readonly reason: string | null
}

export interface ParsedReturns {
  readonly returns: readonly ReturnLine[]
  readonly faults: readonly LineFault[]
  /** An error message for each column that the file lacks. */
  readonly columns: Readonly<Partial<ReturnColumns>>
}

/** Parses CSV with headings, separated by commas, semicolons or tabs. A file with faults is not imported. */
export function parseReturns(text: string, columns: ReturnColumns): ParsedReturns {
  const delimiter = findDelimiter(text)
  const sizeFault = findSizeFault(text, delimiter)
  if (sizeFault !== undefined) return { returns: [], faults: [sizeFault], columns: {} }
  const faults: LineFault[] = []
  const [header, ...rows] = parseCsvLines(text, faults, delimiter)
  const headings = (header?.values ?? []).map(normalizeHeading)
  const columnIndexes = returnFields.map((field) =>
    headings.indexOf(normalizeHeading(columns[field])),
  )
  const missing = returnFields.filter(
    (field, index) => columnIndexes[index] === -1 && !(field === 'reason' && columns.reason === ''),
  )
  if (missing.length > 0) {
    const known =
      header === undefined
        ? 'The file is empty'
        : toPlainLineUpTo(header.values.join(', '), maxShownHeadings)
    const describe = (name: string) => `There is no column “${name}” in: ${known}.`
    const errors = missing.map((field) => [field, describe(columns[field])])
    return { returns: [], faults, columns: Object.fromEntries(errors) }
  }
  const lineOfLead = new Map<string, number>()
  const returns = rows.flatMap(({ line, values }) => {
    const [lead = '', date = '', reason = ''] = columnIndexes.map((at) => values[at] ?? '')
    const leadId = lead.toLowerCase()
    const returnedAt = parseDate(date)
    const earlier = lineOfLead.get(leadId)
    lineOfLead.set(leadId, earlier ?? line)
    const found = [
      !isLeadId(leadId) && `${quote(lead)} is not a lead’s reference, which has 36 characters`,
      earlier !== undefined && `the lead is on line ${earlier} already`,
      returnedAt === undefined &&
        `${quote(date)} is not a date: write it like 2026-11-30 or 11/30/2026`,
    ].filter((message) => message !== false)
    faults.push(...found.slice(0, 1).map((message) => ({ line, message })))
    if (found.length > 0 || returnedAt === undefined) return []
    return {
      line,
      leadId,
      returnedAt,
      reason: toPlainLineUpTo(reason, maxReturnReasonLength) || null,
    }
  })
  return { returns, faults, columns: {} }
}

/** Checks the size before parsing, because parsing a million lines takes a minute. */
function findSizeFault(text: string, delimiter: string): LineFault | undefined {
  const format = (count: number) => count.toLocaleString('en-US')
  if (Buffer.byteLength(text) > maxReturnsBytes) {
    return { line: 1, message: 'a file may have 2 MB: split it' }
  }
  const returns = countCsvLines(text, delimiter) - 1
  if (returns > maxReturnLines) {
    const message = `a file may have ${format(maxReturnLines)} lines, not ${format(returns)}: split it`
    return { line: 1, message }
  }
  const columnCounts = text.split(/\r\n|\n|\r/).map((line) => line.split(delimiter).length)
  const index = columnCounts.findIndex((count) => count > maxColumns)
  if (index === -1) return undefined
  const found = format(columnCounts[index] ?? 0)
  const advice = 'keep only the references, dates and reasons'
  return {
    line: index + 1,
    message: `a line may have ${maxColumns} columns, not ${found}: ${advice}`,
  }
}

const quote = (value: string): string => `“${toPlainLineUpTo(value, 40)}”`

/** Returns the separator that occurs most often in the headings. */
function findDelimiter(text: string): string {
  const [headings = ''] = text.split('\n', 1)
  const count = (separator: string) => headings.split(separator).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

const normalizeHeading = (heading: string): string => heading.trim().toLowerCase()

const noon = 12 * 3_600_000

/** Parses a date such as 2026-11-30 or 11/30/2026, or a time in UTC. */
function parseDate(text: string): number | undefined {
  const [, month = '', day = '', year] = /^(\d\d?)\/(\d\d?)\/(\d{4})$/.exec(text) ?? []
  const isoDay = year && `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = parseRangeStart(isoDay ?? text)
  return at === undefined || text.includes('T') ? at : at + noon
}
