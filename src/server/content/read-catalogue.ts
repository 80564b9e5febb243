import { readFileSync } from 'node:fs'
import { CsvError, parse } from 'csv-parse/sync'
import {
  type CatalogueFault,
  type CatalogueRow,
  type CheckedCatalogue,
  catalogueColumns,
  checkCatalogue,
  optionalColumns,
} from '#domain/catalogue/check-catalogue.ts'

/** Reads and checks the operator's list of programs. A file that cannot be read is a fault too, not an exception. */
export function readCatalogue(path: string | URL): CheckedCatalogue {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { ok: false, faults: [`the file cannot be read (${code})`] }
  }
  return readCatalogueText(text)
}

/** The same for the file's text: CSV with a header, with or without a byte order mark, any line ends. */
export function readCatalogueText(text: string): CheckedCatalogue {
  const { records, faults } = readLines(text)
  const [header, ...body] = records
  if (header === undefined) {
    return checkCatalogue(
      [],
      faults.length > 0 ? faults : [{ line: 1, message: 'the file is empty' }],
    )
  }

  const columns = header.values
  const knownColumns = [...catalogueColumns, ...optionalColumns]
  const missing = catalogueColumns.filter((column) => !columns.includes(column))
  const headerFaults = [
    ...missing.map((column) => `the column ${column} is missing`),
    ...columns
      .filter((column) => !knownColumns.includes(column))
      .map((column) => `the column ${JSON.stringify(column)} is unknown`),
    ...columns
      .filter((column, index) => columns.indexOf(column) < index)
      .map((column) => `the column ${column} stands twice`),
  ]
  faults.push(...headerFaults.map((message) => ({ line: header.line, message })))

  const rows: CatalogueRow[] = []
  for (const { line, values } of body) {
    if (isWhole(values, columns)) {
      rows.push({
        line,
        values: Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ''])),
      })
    } else {
      const counts = `${values.length} values where the header has ${columns.length}`
      faults.push({ line, message: `${counts}: put a value that has a comma in quotes` })
    }
  }
  // Without one of its columns every row would repeat the header's fault.
  return checkCatalogue(missing.length > 0 ? [] : rows, faults)
}

/** An optional column that is filled only in the first row is empty in the others. */
const isWhole = (values: readonly string[], columns: readonly string[]): boolean =>
  values.length <= columns.length &&
  columns.slice(values.length).every((column) => optionalColumns.includes(column))

interface FileRecord {
  readonly line: number
  readonly values: readonly string[]
}

/**
 * Parses line by line: no column needs a line break, and a quote left open would otherwise swallow the rows below it
 * with their faults. Blank lines, and the rows of commas that spreadsheets leave behind, are passed over.
 */
function readLines(text: string) {
  const records: FileRecord[] = []
  const faults: CatalogueFault[] = []
  for (const [index, content] of text.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1
    if (content.includes('\uFFFD')) {
      faults.push({ line, message: 'a character is not UTF-8: save the file as "CSV UTF-8"' })
    }
    try {
      const parsed = parse(content, {
        bom: true,
        trim: true,
        skip_empty_lines: true,
        skip_records_with_empty_values: true,
      })
      records.push(...parsed.map((values) => ({ line, values })))
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      faults.push({
        line,
        message: 'quotes (") do not match: quote whole values, double a quote inside',
      })
      // The rows below a broken header cannot be read.
      if (records.length === 0) break
    }
  }
  return { records, faults }
}
