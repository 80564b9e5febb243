import type { ReactNode } from 'react'
import styles from './data-table.module.css'

interface DataTableProps<Row> {
  /** The table's accessible name. */
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** What stands there in its place where there is no row: why, and what to do. */
  empty: ReactNode
}

export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
}

/** On a phone each row stands by itself, its cells below each other; elsewhere it scrolls where it is wider than its place. */
export function DataTable<Row>({ name, columns, rows, keyOf, empty }: DataTableProps<Row>) {
  if (rows.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={name}>
        <thead>
          <tr>
            {columns.map(({ heading, isNumber }) => (
              <th key={heading} scope="col" data-number={isNumber}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-key={keyOf(row)}>
              {columns.map(({ heading, cell, isNumber }) => {
                const shown = cell(row)
                return (
                  <td
                    key={heading}
                    data-number={isNumber}
                    data-none={isNone(shown) || undefined}
                    data-heading={heading}
                  >
                    {shown}
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

const isNone = (shown: ReactNode): boolean => shown === '–' || shown === '' || shown == null
