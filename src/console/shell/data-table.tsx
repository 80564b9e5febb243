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

/** A table that scrolls by itself where it is wider than the screen; by keyboard, too. */
export function DataTable<Row>({ name, columns, rows, keyOf, empty }: DataTableProps<Row>) {
  if (rows.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to take the keyboard
    <section className={styles.scroll} aria-label={`${name}, table`} tabIndex={0}>
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
            <tr key={keyOf(row)}>
              {columns.map(({ heading, cell, isNumber }) => (
                <td key={heading} data-number={isNumber}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
