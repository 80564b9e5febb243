import type { Figure } from './figure.ts'

const headings = ['figure', 'measured', 'ratio', 'bound', 'kept']

/** Formats the figures as text columns, one row each. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, measured, ratio, bound, isKept }) => [
    name,
    measured,
    ratio === undefined ? '' : `${ratio.toFixed(3)} ×`,
    bound,
    isKept ? 'yes' : 'NO',
  ])
  const widths = headings.map((heading, column) =>
    Math.max(...[heading, ...rows.map((row) => row[column] ?? '')].map(({ length }) => length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [headings, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n')
}
