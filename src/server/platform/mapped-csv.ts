import { toPlainLineUpTo } from '#domain/text/plain-line.ts'
import { type LineFault, openCsv, parseLongCsv } from './csv-lines.ts'

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
  /** An error message for each column that the file lacks. */
  readonly columns: Readonly<Partial<Record<Field, string>>>
}

interface CsvShape<Field extends string> {
  readonly fields: readonly Field[]
  /** A field that a file may lack if its heading is empty. */
  readonly optional?: Field
  /** What else to keep if a line has too many columns. */
  readonly advice: string
}

/**
 * Reads an operator's CSV file with headings, separated by commas, semicolons or tabs.
 * @param read takes the values of a line in the order of the fields, and returns why the line is wrong
 */
export async function readMappedCsv<Field extends string>(
  text: string,
  columns: CsvColumns<Field>,
  { fields, optional, advice }: CsvShape<Field>,
  read: (values: readonly string[], line: number, all: readonly string[]) => string | undefined,
): Promise<CsvFaults<Field>> {
  const none = {} as CsvFaults<Field>['columns']
  const refuse = (...faults: LineFault[]) => ({ faults, columns: none })
  if (Buffer.byteLength(text) > maxCsvBytes) {
    return refuse({ line: 1, message: 'a file may have 2 MB: split it' })
  }
  const file = openCsv(text)
  const faults: LineFault[] = []
  const isMissable = (field: Field) => field === optional && columns[field] === ''
  /** Returns an error message for each column that the file lacks; undefined if it lacks none. */
  const findMissing = (headings: readonly string[], indexes: readonly number[]) => {
    const missing = fields.filter(
      (field, index) => (indexes[index] ?? -1) === -1 && !isMissable(field),
    )
    if (missing.length === 0) return undefined
    const known =
      headings.length === 0
        ? 'The file is empty'
        : toPlainLineUpTo(headings.join(', '), maxShownHeadings)
    const describe = (name: string) => `There is no column “${name}” in: ${known}.`
    return Object.fromEntries(missing.map((field) => [field, describe(columns[field])])) as Partial<
      Record<Field, string>
    >
  }
  let indexes: readonly number[] | undefined
  let count = 0
  for await (const { line, values } of parseLongCsv(file, faults)) {
    if (count++ > maxCsvLines) {
      return refuse({ line, message: `a file may have ${format(maxCsvLines)} lines: split it` })
    }
    if (values.length > maxColumns) {
      const found = format(values.length)
      const message = `a line may have ${maxColumns} columns, not ${found}: ${advice}`
      faults.push({ line, message })
      continue
    }
    if (indexes === undefined) {
      // A fault before this record is in the line of headings, without which no line can be read.
      if (faults.length > 0) return refuse(...faults)
      const headings = values.map(normalizeHeading)
      indexes = fields.map((field) => headings.indexOf(normalizeHeading(columns[field])))
      const missing = findMissing(values, indexes)
      if (missing !== undefined) return { faults, columns: missing }
      continue
    }
    const message = read(
      indexes.map((at) => values[at] ?? ''),
      line,
      values,
    )
    if (message !== undefined) faults.push({ line, message })
  }
  if (indexes !== undefined || faults.length > 0) return refuse(...faults)
  return { faults, columns: findMissing([], []) ?? none }
}

const format = (count: number): string => count.toLocaleString('en-US')

/** A spreadsheet may break a heading into lines. */
const normalizeHeading = (heading: string): string =>
  heading.trim().toLowerCase().replace(/\s+/g, ' ')

/** Quotes a value of a file in an error message. */
export const quoteValue = (value: string): string => `“${toPlainLineUpTo(value, 40)}”`
