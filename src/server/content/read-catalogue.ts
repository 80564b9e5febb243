import { readFileSync } from 'node:fs'
import { CsvError, parse } from 'csv-parse/sync'
import * as v from 'valibot'
import { programTypes } from '#domain/area.ts'
import { degreeTypes, type Program } from '#domain/catalogue/catalogue.ts'
import type { LineFault } from './read-yaml.ts'

/** One row of the operator's file: its line number, and its trimmed values by column. */
interface CatalogueRow {
  readonly line: number
  readonly values: Readonly<Record<string, string>>
}

export type CheckedCatalogue =
  /** The programs on offer; visitors' pages and the API use this list (reading 27). */
  | {
      readonly ok: true
      readonly programs: readonly Program[]
      /** The programs that are not on offer; only the operator sees them. */
      readonly notOffered: readonly Program[]
    }
  /** Sentences for the operator, in the order of the file's lines. */
  | { readonly ok: false; readonly faults: readonly string[] }

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

/** Checks the file's text: CSV with a header, with or without a byte order mark, with any line ends. */
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
  // If a required column is missing, every row would repeat the header's fault.
  return checkCatalogue(missing.length > 0 ? [] : rows, faults)
}

/** Spreadsheets leave trailing cells out, so a row may lack the optional columns at its end. */
const isWhole = (values: readonly string[], columns: readonly string[]): boolean =>
  values.length <= columns.length &&
  columns.slice(values.length).every((column) => optionalColumns.includes(column))

interface FileRecord {
  readonly line: number
  readonly values: readonly string[]
}

/**
 * Parses line by line: no column needs a line break, and an unclosed quote would otherwise hide the faults of the rows
 * below it. Blank lines, and the rows of commas that spreadsheets leave behind, are skipped.
 */
function readLines(text: string) {
  const records: FileRecord[] = []
  const faults: LineFault[] = []
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

const quoted = ({ input }: { readonly input: unknown }) => JSON.stringify(input)

const programRow = v.object({
  id: v.pipe(
    v.string(),
    v.regex(/^[1-9]\d{0,8}$/, (issue) => `id ${quoted(issue)} is not a whole number above 0`),
    v.transform(Number),
  ),
  name: v.pipe(v.string(), v.nonEmpty('name is empty')),
  active: v.pipe(
    v.picklist(['yes', ''], (issue) => `active ${quoted(issue)} is neither yes nor empty`),
    v.transform((text) => text === 'yes'),
  ),
  types: v.pipe(
    v.string(),
    v.transform((text) =>
      text
        .split(';')
        .map((type) => type.trim())
        .filter((type) => type !== ''),
    ),
    v.minLength(1, `types is empty: name at least one of ${programTypes.join(', ')}`),
    v.array(
      v.picklist(
        programTypes,
        (issue) => `type ${quoted(issue)} is none of ${programTypes.join(', ')}`,
      ),
    ),
  ),
  degreeType: v.picklist(
    degreeTypes,
    (issue) => `degreeType ${quoted(issue)} is none of ${degreeTypes.join(', ')}`,
  ),
  // Only `no` withdraws a program (reading 27), so that programs stay on offer when an operator adds the column and
  // leaves cells empty.
  offered: v.pipe(
    v.optional(v.string(), ''),
    v.picklist(['yes', 'no', ''], (issue) => `offered ${quoted(issue)} is neither yes nor no`),
    v.transform((text) => text !== 'no'),
  ),
})

const { offered, ...required } = programRow.entries

const catalogueColumns = Object.keys(required)

const optionalColumns = Object.keys({ offered })

/**
 * Turns the file's rows into programs, or lists every fault with its line (reading 5).
 *
 * @param faultsOfFile faults from parsing the file, which are listed too
 */
export function checkCatalogue(
  rows: readonly CatalogueRow[],
  faultsOfFile: readonly LineFault[] = [],
): CheckedCatalogue {
  const faults = [...faultsOfFile]
  const programs: Program[] = []
  const notOffered: Program[] = []
  const lineOfId = new Map<string, number>()

  for (const { line, values } of rows) {
    const { id = '' } = values
    const earlier = lineOfId.get(id)
    if (earlier === undefined) lineOfId.set(id, line)
    else if (id !== '') faults.push({ line, message: `id ${id} stands on line ${earlier} already` })

    const read = v.safeParse(programRow, values)
    if (!read.success) {
      faults.push(...read.issues.map(({ message }) => ({ line, message })))
      continue
    }
    const { offered: isOffered, ...program } = read.output
    if (isOffered) programs.push(program)
    else notOffered.push(program)
  }

  if (faults.length > 0) {
    const inOrder = faults.toSorted((one, other) => one.line - other.line)
    return { ok: false, faults: inOrder.map(({ line, message }) => `line ${line}: ${message}`) }
  }
  // A single program on offer is enough to give every page a choice: see `programsOfArea`.
  return programs.length === 0
    ? { ok: false, faults: ['no program is on offer: the pages would have nothing to choose'] }
    : { ok: true, programs, notOffered }
}
