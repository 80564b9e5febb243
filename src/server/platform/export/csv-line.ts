import { escapeUnseen } from '#domain/text/escape-unseen.ts'

export type Cell = string | number | boolean | null

/**
 * One record of RFC 4180, with its line break. A text that a spreadsheet would run as a formula gets an apostrophe in
 * front, which it shows as text: a visitor may have typed =HYPERLINK(…) as a name
 * (https://owasp.org/www-community/attacks/CSV_Injection). What nobody sees is escaped, line breaks and tabs, too. A
 * semicolon is quoted, and what follows it guarded likewise: where a comma parts decimals it parts cells, and quotes
 * that do not stand at a cell's beginning have no force.
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const text = escapeUnseen(cell)
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
