import type { ReactNode } from 'react'
import controls from './controls.module.css'
import styles from './data-table.module.css'

interface DataTableProps<Row> {
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The text shown instead of a table without rows, above a button with the `next` step. */
  empty: ReactNode
  next?: { readonly href: string; readonly label: string } | undefined
  /** Whether a phone shows a row's cells side by side, the first two on a line of their own. */
  isCompact?: boolean
}

export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** A short cell, which the table doesn't wrap. */
  readonly isWhole?: boolean
  /** A cell with a long text, which gets enough width before it wraps. */
  readonly isLong?: boolean
  /** A cell that is understandable without its heading, so a phone can leave the heading out. */
  readonly isPlain?: boolean
  /** A column that phones hide in compact tables, except from screen readers. */
  readonly isMinor?: boolean
  readonly isHidden?: boolean
}

export const makeNumberColumn = <Row,>(
  heading: string,
  cell: Column<Row>['cell'],
): Column<Row> => ({ heading, isNumber: true, cell })

/** Renders a table. On a phone each row is a block with its cells below each other; on wider pages a wide table scrolls. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, columns, rows, keyOf, empty, next, isCompact } = props
  if (rows.length === 0) {
    return (
      <div className={styles.empty}>
        <p>{empty}</p>
        {next && (
          <a className={controls.button} href={next.href}>
            {next.label}
          </a>
        )}
      </div>
    )
  }
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={name} data-compact={isCompact}>
        <thead>
          <tr>
            {columns.map(({ heading, isNumber, isHidden }) => (
              <th key={heading} scope="col" data-number={isNumber} hidden={isHidden}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} id={`row-${name}-${keyOf(row)}`.replaceAll(' ', '-')}>
              {columns.map((column) => {
                const value = column.cell(row)
                const isNone =
                  value === null ||
                  value === undefined ||
                  value === false ||
                  value === '' ||
                  value === '–'
                return (
                  <td
                    key={column.heading}
                    hidden={column.isHidden}
                    data-number={column.isNumber}
                    data-whole={column.isWhole}
                    data-long={column.isLong}
                    data-plain={column.isPlain}
                    data-minor={column.isMinor || undefined}
                    data-none={isNone || undefined}
                    data-heading={column.heading}
                  >
                    {isNone ? '–' : value}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
