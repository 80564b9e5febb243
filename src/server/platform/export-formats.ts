import { escapeInvisible } from '#domain/text/plain-line.ts'

export type ExportCell = string | number | boolean | null

/**
 * Formats one CSV record (RFC 4180) with its line break. A visitor may have typed a formula such as =HYPERLINK(…) as a
 * name, so a text that a spreadsheet would run as a formula gets a leading apostrophe
 * (https://owasp.org/www-community/attacks/CSV_Injection). Invisible characters, line breaks and tabs are escaped.
 * Because some spreadsheets also split cells at semicolons, a text with a semicolon is quoted, and a formula after a
 * semicolon gets an apostrophe, too.
 */
export const formatCsvLine = (cells: readonly ExportCell[]): string =>
  `${cells.map(formatCsvCell).join(',')}\r\n`

function formatCsvCell(cell: ExportCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const text = escapeInvisible(cell)
    .split(';')
    .map((part) => (isFormula(part) ? `'${part}` : part))
    .join(';')
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Whether a spreadsheet may run the text as a formula. East Asian spreadsheets read full-width signs like the usual
 * signs, to which NFKC normalizes them.
 */
const isFormula = (text: string): boolean =>
  /^[=+\-@\u2212]/.test(
    text
      .replace(/^[\s"]+/, '')
      .slice(0, 1)
      .normalize('NFKC'),
  )

/** Removes the apostrophes that {@link formatCsvLine} puts before formulas, from a file that comes back. */
export const removeFormulaMarks = (text: string): string =>
  text.replace(/(^|;)'(?=[\s"]*[=+\-@\u2212\uFF1D\uFF0B\uFF0D\uFF20])/g, '$1')

export type ExportFormat = 'csv' | 'jsonl'

interface Format<Row> {
  readonly header: string
  readonly line: (row: Row) => string
}

interface ColumnOf<Row> {
  readonly name: string
  readonly read: (row: Row) => ExportCell
}

/** Makes an export's formats, CSV for spreadsheets and JSON Lines for programs, with one line for each row. */
export const makeExportFormats = <Row>(
  columns: readonly ColumnOf<Row>[],
): Readonly<Record<ExportFormat, Format<Row>>> => ({
  csv: {
    header: formatCsvLine(columns.map(({ name }) => name)),
    line: (row) => formatCsvLine(columns.map(({ read }) => read(row))),
  },
  jsonl: {
    header: '',
    line: (row) =>
      `${escapeInvisible(JSON.stringify(Object.fromEntries(columns.map(({ name, read }) => [name, read(row)]))))}\n`,
  },
})

/** The number of rows in a page. Larger pages would need more memory, and smaller pages more time. */
const pageSize = 500

/**
 * Yields an export's text page by page, as fast as the receiver takes it, so that memory use does not grow.
 * @param readPage reads at most `take` rows: those that follow the row `after`, or the first rows
 */
export async function* exportPages<Row>(
  { header, line }: Format<Row>,
  readPage: (after: Row | undefined, take: number) => Promise<readonly Row[]>,
  onProgress: (done: number) => void = () => undefined,
): AsyncGenerator<string> {
  let done = 0
  let after: Row | undefined
  yield header
  do {
    const rows = await readPage(after, pageSize)
    after = rows.length === pageSize ? rows.at(-1) : undefined
    const text = rows.map(line).join('')
    if (text !== '') yield text
    done += rows.length
    onProgress(done)
  } while (after !== undefined)
}

/** Begins CSV with a byte order mark, without which Excel reads UTF-8 as Windows-1252. */
export async function* addByteOrderMark(
  text: AsyncGenerator<string>,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield '\uFEFF'
  yield* text
}
