export type Cell = string | number | boolean | null

/**
 * One record of RFC 4180, with its line break. A text that a spreadsheet would run as a formula gets an apostrophe in
 * front, which it shows as text: a visitor may have typed =HYPERLINK(…) as a name
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const text = /^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
