import type { ReactNode } from 'react'
import controls from './controls.module.css'
import styles from './data-table.module.css'

interface DataTableProps<Row> {
  /** The table's accessible name. */
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Shown if there are no rows: the reason, and a button with the next step. */
  empty: ReactNode
  next?: { readonly href: string; readonly label: string } | undefined
  /** On a phone its cells stand beside each other, the first two in a line of their own. */
  isCompact?: boolean
}

export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** Short: never broken where there is room. */
  readonly isWhole?: boolean
  /** Words: it has room before it is broken. */
  readonly isLong?: boolean
  /** Understandable without its heading, so that it is compact on a phone. */
  readonly isPlain?: boolean
  /** A phone leaves it out where rows are compact; screen readers have it still. */
  readonly isMinor?: boolean
  readonly isHidden?: boolean
}

/**
 * On a phone each row is a block of its own, its cells below each other; elsewhere a wide table
 * scrolls.
 */
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
                  value === null || value === undefined || value === '' || value === '–'
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
