import type { Kysely } from 'kysely'
import { toPlainLineUpTo } from '#domain/text/plain-line.ts'
import { type LineFault, openCsv, parseLongCsv } from './csv-lines.ts'
import type { StoreTables } from './database/tables/store-tables.ts'

/** The most lines in one file, because one transaction stores them all, and enquiries wait for it. */
export const maxCsvLines = 10_000

/** The most bytes and columns of one file. */
export const maxCsvBytes = 2 * 1024 * 1024
const maxColumns = 100

/** The most characters of a file's headings that an error message shows. */
const maxShownHeadings = 500

/** The heading of each column that the file must have. */
export type CsvColumns<Field extends string> = Readonly<Record<Field, string>>

export interface CsvFaults<Field extends string> {
  readonly faults: readonly LineFault[]
  /** An error message for each column that the file lacks, or has twice. */
  readonly columns: Readonly<Partial<Record<Field, string>>>
}

export interface ImportCounts {
  readonly recorded: number
  /** How many lines replace what an earlier file said. */
  readonly corrected: number
  readonly known: number
}

export type ImportResult<Field extends string> =
  | ({ readonly kind: 'imported'; readonly corrections?: readonly string[] } & ImportCounts)
  | ({ readonly kind: 'refused' } & CsvFaults<Field>)

/** Says what an import did, as in `12 recorded, 1 corrected, 3 known before`. */
export const describeImport = ({ recorded, corrected, known }: ImportCounts): string =>
  [`${recorded} recorded`, `${corrected} corrected`, `${known} known before`]
    .filter((part, index) => index === 0 || !part.startsWith('0 '))
    .join(', ')

/** The tables that remember the headings of the last imported file. */
type HeadingTable = 'return_columns' | 'spend_columns'

/** Reads the headings of the last imported file. */
export async function readHeadings<Field extends string>(
  db: Kysely<StoreTables>,
  table: HeadingTable,
  defaults: CsvColumns<Field>,
): Promise<CsvColumns<Field>> {
  const rows = await db.selectFrom(table).selectAll().execute()
  return { ...defaults, ...Object.fromEntries(rows.map(({ field, heading }) => [field, heading])) }
}

export const rememberHeadings = (
  tx: Kysely<StoreTables>,
  table: HeadingTable,
  headings: CsvColumns<string>,
) =>
  tx
    .insertInto(table)
    .values(Object.entries(headings).map(([field, heading]) => ({ field, heading })))
    .onConflict((conflict) =>
      conflict.column('field').doUpdateSet((eb) => ({ heading: eb.ref('excluded.heading') })),
    )
    .execute()

export interface CsvShape<Field extends string, Row extends object> {
  readonly fields: readonly Field[]
  /** A field that a file may lack if its heading is empty. */
  readonly optional?: Field
  /** What else to keep if a line has too many columns. */
  readonly advice: string
  /** Reads the values of a line in the order of the fields, or returns why the line is wrong. */
  readonly read: (values: readonly string[], line: number, all: readonly string[]) => Row | string
  /** Returns what no two lines may share. */
  readonly keyOf: (values: readonly string[]) => string
  /** Says that an earlier line has the same key. */
  readonly describeRepeat: (line: number) => string
}

/** Reads an operator's CSV file with headings, separated by commas, semicolons or tabs. A file with faults is not imported. */
export async function readMappedCsv<Field extends string, Row extends object>(
  text: string,
  columns: CsvColumns<Field>,
  shape: CsvShape<Field, Row>,
): Promise<CsvFaults<Field> & { readonly rows: readonly Row[] }> {
  const rows: Row[] = []
  const faults: LineFault[] = []
  const found = { rows, faults, columns: {} as CsvFaults<Field>['columns'] }
  const refuse = (line: number, message: string) => ({
    ...found,
    rows: [],
    faults: [{ line, message }],
  })
  if (Buffer.byteLength(text) > maxCsvBytes) return refuse(1, 'a file may have 2 MB: split it')
  const file = openCsv(text)
  let indexes: readonly number[] | undefined
  let width = maxColumns
  let count = 0
  const lineOf = new Map<string, number>()
  for await (const { line, values: all } of parseLongCsv(file, faults)) {
    if (count++ > maxCsvLines)
      return refuse(line, `a file may have ${format(maxCsvLines)} lines: split it`)
    if (all.length > maxColumns) {
      const message = `a line may have ${maxColumns} columns, not ${format(all.length)}: ${shape.advice}`
      faults.push({ line, message })
      continue
    }
    if (indexes === undefined) {
      // A fault before this record is in the line of headings, without which no line can be read.
      if (faults.length > 0) return found
      const headings = all.map(normalizeHeading)
      width = all.length
      indexes = shape.fields.map((field) => headings.indexOf(normalizeHeading(columns[field])))
      const wrong = findWrongColumns(all, columns, shape)
      if (Object.keys(wrong).length > 0) return { ...found, columns: wrong }
      continue
    }
    // A spreadsheet may end a line with empty values.
    if (all.slice(width).some((value) => value.trim() !== '')) {
      const message = `the line has ${all.length} values, the first line ${width}: put a value with a comma in quotes`
      faults.push({ line, message })
      continue
    }
    const values = indexes.map((at) => all[at] ?? '')
    const key = shape.keyOf(values)
    const earlier = lineOf.get(key)
    lineOf.set(key, earlier ?? line)
    const row = shape.read(values, line, all)
    const message =
      typeof row !== 'string' && earlier !== undefined ? shape.describeRepeat(earlier) : row
    if (typeof message === 'string') faults.push({ line, message })
    else rows.push(message)
  }
  const isEmpty = indexes === undefined && faults.length === 0
  return isEmpty ? { ...found, columns: findWrongColumns([], columns, shape) } : found
}

/** Returns an error message for each column that the file lacks, or has more than once. */
function findWrongColumns<Field extends string>(
  headings: readonly string[],
  columns: CsvColumns<Field>,
  { fields, optional }: Pick<CsvShape<Field, object>, 'fields' | 'optional'>,
): CsvFaults<Field>['columns'] {
  const known =
    headings.length === 0
      ? 'The file is empty'
      : toPlainLineUpTo(headings.join(', '), maxShownHeadings)
  const describe = (field: Field) => {
    const name = columns[field]
    if (field === optional && name === '') return undefined
    const same = headings.filter((one) => normalizeHeading(one) === normalizeHeading(name))
    if (same.length === 0) return `There is no column “${name}” in: ${known}.`
    if (same.length > 1) return `The file has ${same.length} columns “${name}”: rename all but one.`
    return undefined
  }
  const messages = fields.map((field) => [field, describe(field)] as const)
  return Object.fromEntries(
    messages.filter(([, message]) => message !== undefined),
  ) as CsvFaults<Field>['columns']
}

const format = (count: number): string => count.toLocaleString('en-US')

/** A spreadsheet may break a heading into lines. */
const normalizeHeading = (heading: string): string =>
  heading.trim().toLowerCase().replace(/\s+/g, ' ')

/** The fault of a line whose unclosed quote has swallowed lines, which would silently not be imported. */
export const unclosedQuote = 'a value in quotes contains other lines: close its quote (")'

/** Quotes a value of a file in an error message. */
export const quoteValue = (value: string): string => `“${toPlainLineUpTo(value, 40)}”`
