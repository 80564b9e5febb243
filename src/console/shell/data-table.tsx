import type { ReactNode } from 'react'
import { formatNumber } from '#domain/text/formats.ts'
import controls from './controls.module.css'
import styles from './data-table.module.css'

export interface DataTableProps<Row> {
  name: string
  id?: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Returns the key by which a live update recognizes a row; by default, the row's position. */
  keyOf?: (row: Row, index: number) => string
  /** The text shown instead of a table without rows, above a link to the `next` step. */
  empty?: ReactNode
  next?: { readonly href: string; readonly label: string } | undefined
  /** Whether a narrow page shows a row's cells side by side, with the first two on the first line. */
  isCompact?: boolean
  total?: Row | undefined
  /** Returns how a click on a column's heading sorts the table; see `SortableTable`. */
  sortingOf?: (column: Column<Row>) => Sorting | undefined
}

interface Sorting {
  readonly href: string
  /** How the table is sorted by the column now; undefined if it is not. */
  readonly order: 'ascending' | 'descending' | undefined
}

export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  /**
   * The value that sorts the rows, and that files contain; by default, a cell's own text or number. Null for a column
   * that neither sorts nor is in files.
   */
  readonly value?: ((row: Row) => string | number | null | undefined) | null
  /** Whether the value is a time in epoch milliseconds, which files contain in the school's zone. */
  readonly isTime?: boolean
  readonly isNumber?: boolean
  readonly isOneLine?: boolean
  /** Whether the cells have long texts, which need more width before they wrap. */
  readonly isWide?: boolean
  /** Whether compact tables leave out the column's heading on a narrow page. */
  readonly isUnlabeled?: boolean
  /** Whether compact tables on a narrow page show the column only to screen readers. */
  readonly isHiddenOnPhones?: boolean
  readonly isHidden?: boolean
}

export const makeNumberColumn = <Row,>(
  heading: string,
  cell: Column<Row>['cell'],
  value?: Column<Row>['value'],
): Column<Row> => ({ heading, isNumber: true, cell, ...(value !== undefined && { value }) })

const emptyValues: readonly ReactNode[] = [null, undefined, false, '', '–']

/**
 * Shows a table with formatted numbers and a dash in each empty cell. On a narrow page, each row is a block with its
 * cells below each other. On a wide page, a table that is too wide scrolls.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, columns, rows, keyOf = (_, index) => `${index}`, empty, next, isCompact } = props
  const { total, sortingOf } = props
  const heads = columns.map((column) => ({ ...column, sorting: sortingOf?.(column) }))
  const sorted = heads.find(({ sorting }) => sorting?.order !== undefined)
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
    <div className={styles.scroll} id={props.id}>
      {sortingOf && (
        <details className={styles.sorting} data-not-printed="">
          <summary>
            {sorted ? `Sorted by ${sorted.heading}, ${sorted.sorting?.order}` : 'Sort'}
          </summary>
        </details>
      )}
      <table
        className={styles.table}
        aria-label={name}
        data-compact={isCompact}
        data-sortable={sortingOf && true}
      >
        <thead>
          <tr>
            {heads.map(({ heading, isNumber, isHidden, sorting }) => (
              <th
                key={heading}
                scope="col"
                data-number={isNumber}
                hidden={isHidden}
                aria-sort={sorting?.order}
              >
                {sorting ? <a href={sorting.href}>{heading}</a> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={keyOf(row, index)}
              id={`row-${name}-${keyOf(row, index)}`.replaceAll(' ', '-')}
            >
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
        {total !== undefined && (
          <tfoot>
            <tr>
              <Cells columns={columns} row={total} />
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

function Cells<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return columns.map((column) => {
    const value = column.cell(row)
    const isEmpty = emptyValues.includes(value)
    return (
      <td
        key={column.heading}
        hidden={column.isHidden}
        data-number={column.isNumber}
        data-one-line={column.isOneLine}
        data-wide={column.isWide}
        data-unlabeled={column.isUnlabeled}
        data-hidden-when-narrow={column.isHiddenOnPhones || undefined}
        data-empty={isEmpty || undefined}
        data-heading={column.heading}
      >
        {isEmpty ? '–' : typeof value === 'number' ? formatNumber(value) : value}
      </td>
    )
  })
}

export const NextPageLink = ({ href, text }: { href: string | undefined; text: string }) =>
  href !== undefined && (
    <a className={controls.button} rel="next" href={href}>
      {text}
    </a>
  )
