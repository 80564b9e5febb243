import { escapeUnseen } from '#domain/text/escape-unseen.ts'
import { type Cell, csvLine } from './csv-line.ts'

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
      `${escapeUnseen(JSON.stringify(Object.fromEntries(columns.map(({ name, read }) => [name, read(row)]))))}\n`,
  },
})
