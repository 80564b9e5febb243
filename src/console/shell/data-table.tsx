import type { ReactNode } from 'react'
import styles from './data-table.module.css'

interface DataTableProps<Row> {
  /** The table's accessible name. */
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Shown instead of rows when there are none: the reason, and what to do. */
  empty: ReactNode
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
  const { name, columns, rows, keyOf, empty, isCompact } = props
  if (rows.length === 0) return <p className={styles.empty}>{empty}</p>
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
              {columns.map(
                ({ heading, cell, isNumber, isWhole, isLong, isPlain, isMinor, isHidden }) => {
                  const shown = cell(row)
                  return (
                    <td
                      key={heading}
                      hidden={isHidden}
                      data-number={isNumber}
                      data-whole={isWhole}
                      data-long={isLong}
                      data-plain={isPlain}
                      data-minor={isMinor || undefined}
                      data-none={isNone(shown) || undefined}
                      data-heading={heading}
                    >
                      {shown}
                    </td>
                  )
                },
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const isNone = (shown: ReactNode): boolean => shown === '–' || shown === '' || shown == null
