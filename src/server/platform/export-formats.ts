import { escapeInvisible } from '#domain/text/escape-invisible.ts'

export type Cell = string | number | boolean | null

/**
 * One record of RFC 4180, with its line break. A text that a spreadsheet would run as a formula
 * gets an apostrophe in front, which it shows as text: a visitor may have typed =HYPERLINK(…) as a
 * name (https://owasp.org/www-community/attacks/CSV_Injection). Invisible characters are escaped,
 * line breaks and tabs too. A semicolon is quoted, and what follows it guarded likewise: where a
 * comma parts decimals it parts cells, and quotes that do not stand at a cell's beginning have no
 * force.
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const text = escapeInvisible(cell)
    .split(';')
    .map((part) => (isFormula(part) ? `'${part}` : part))
    .join(';')
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Signs in full width count for the usual ones in East Asian spreadsheets, small and raised ones fold to them as well. */
const isFormula = (text: string): boolean =>
  /^[=+\-@\u2212]/.test(
    text
      .replace(/^[\s"]+/, '')
      .slice(0, 1)
      .normalize('NFKC'),
  )

export type ExportFormat = 'csv' | 'jsonl'

interface Format<Row> {
  readonly header: string
  readonly line: (row: Row) => string
}

interface ColumnOf<Row> {
  readonly name: string
  readonly read: (row: Row) => Cell
}

/** A line each, for spreadsheets or for programs. */
export const textFormats = <Row>(
  columns: readonly ColumnOf<Row>[],
): Readonly<Record<ExportFormat, Format<Row>>> => ({
  csv: {
    header: csvLine(columns.map(({ name }) => name)),
    line: (row) => csvLine(columns.map(({ read }) => read(row))),
  },
  jsonl: {
    header: '',
    line: (row) =>
      `${escapeInvisible(JSON.stringify(Object.fromEntries(columns.map(({ name, read }) => [name, read(row)]))))}\n`,
  },
})
