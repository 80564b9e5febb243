/** Text that a visitor typed may not move the operator's cursor: control characters are shown as �. */
export const visible = (text: string): string => text.replace(/\p{Cc}/gu, '�')

/** A plain table, its columns as wide as their widest value. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((row) => row.map(visible))
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
