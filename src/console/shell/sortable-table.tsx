import { formatIsoTime } from '#domain/calendar.ts'
import { toMoney } from '#domain/money/ledger.ts'
import { pluralize } from '#domain/text/formats.ts'
import type { ExportCell } from '#server/platform/export-formats.ts'
import styles from './data-table.module.css'
import { type Column, DataTable, type DataTableProps } from './data-table.tsx'
import { useShell } from './shell.tsx'
import { Timestamp } from './times.tsx'

/** The parameters that every page accepts: how one table is sorted, and the table to download as CSV. */
export const tableParameters = ['sort', 'csv'] as const

interface SortableTableProps<Row> extends Omit<DataTableProps<Row>, 'isCompact'> {
  /** The row that stands below the others, wherever the table is sorted. The page computes it: a rate has no sum. */
  total?: Row | undefined
  /** The page shows at most this many rows; the CSV file has all. */
  maxRows?: number
  /** How many further rows the page has not even read, so that the file lacks them, too. */
  moreRows?: number
  /** What the file's name begins with; by default, the table's name. */
  fileName?: string
  /** The URL of a file with more than the table has; by default, the file has the table's columns and rows. */
  fileUrl?: string
}

/**
 * Shows a table that operators can sort by each column, and download as CSV. One URL sorts one table, as in
 * `?sort=comparison.leads.down`. The rows are sorted before the table is cut, and empty cells come last.
 */
export function SortableTable<Row>(props: SortableTableProps<Row>) {
  const { name, columns, rows, total, maxRows = rows.length, moreRows = 0 } = props
  const { fileName = name } = props
  const { query = '', takeTable, zone } = useShell()
  const id = toUrlName(name)
  const [table, sortedBy, order] = new URLSearchParams(query).get('sort')?.split('.') ?? []
  const isDown = order === 'down'
  const column =
    table === id ? columns.find(({ heading }) => toUrlName(heading) === sortedBy) : undefined
  const sorted = column ? sortRows(rows, column, isDown) : rows
  const filed = columns.filter(({ value, isHidden }) => value !== null && !isHidden)
  const makeLines = () => [
    filed.map(({ heading }) => heading),
    ...sorted.map((row) =>
      filed.map((one) => {
        const value = readValue(one, row)
        return one.isTime && value !== null ? formatIsoTime(Number(value), zone) : value
      }),
    ),
  ]
  takeTable?.(id, makeLines, fileName)
  if (rows.length === 0) return <DataTable {...props} />
  const makeUrl = (changes: Readonly<Record<string, string>>) => {
    const params = new URLSearchParams(query)
    for (const [parameter, text] of Object.entries(changes)) params.set(parameter, text)
    return `?${params}`
  }
  const left = Math.max(0, rows.length - maxRows) + moreRows
  const where = moreRows === 0 ? ', which the file has' : ''
  return (
    <>
      <DataTable
        {...props}
        isCompact
        id={`table-${id}`}
        rows={sorted.slice(0, maxRows)}
        total={total}
        sortingOf={(one) => {
          if (one.value === null) return undefined
          const isSorted = one === column
          const next = isSorted ? !isDown : one.isNumber === true
          const sort = `${id}.${toUrlName(one.heading)}.${next ? 'down' : 'up'}`
          return {
            href: `${makeUrl({ sort })}#table-${id}`,
            order: isSorted ? (isDown ? 'descending' : 'ascending') : undefined,
          }
        }}
      />
      <p className={styles.below}>
        {left > 0 && `The table leaves out ${pluralize(left, 'row')}${where}. `}
        {moreRows > 0 && `The file leaves out ${pluralize(moreRows, 'row')}. `}
        <a href={props.fileUrl ?? makeUrl({ csv: id })} download>
          Download <span className="visually-hidden">{name} </span>as CSV
        </a>
      </p>
    </>
  )
}

/** Makes the name of a table or a column in URLs, such as `leads-per-visit`, or of a file. */
export const toUrlName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, ' ')
    .trim()
    .split(/ +/)
    .join('-')

function readValue<Row>({ value, cell }: Column<Row>, row: Row): ExportCell {
  const found = value ? value(row) : cell(row)
  return typeof found === 'number' || typeof found === 'string' ? found : null
}

function sortRows<Row>(rows: readonly Row[], column: Column<Row>, isDown: boolean): readonly Row[] {
  const found = rows.map((row) => ({ row, value: readValue(column, row) }))
  const compare = (one: ExportCell, other: ExportCell): number =>
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : String(one).localeCompare(String(other), 'en', { numeric: true })
  const isEmpty = (value: ExportCell) => value === null || value === '–' || value === ''
  return found
    .toSorted(
      ({ value: one }, { value: other }) =>
        Number(isEmpty(one)) - Number(isEmpty(other)) ||
        (isDown ? compare(other, one) : compare(one, other)),
    )
    .map(({ row }) => row)
}

/** Makes a column of amounts. Files contain dollars. @param find returns US cents; null if the amount is unknown */
export const makeMoneyColumn = <Row,>(
  heading: string,
  find: (row: Row) => number | null,
): Column<Row> => ({
  ...{ heading, isNumber: true },
  cell: (row) => toMoney(heading, find(row)).text,
  value: (row) => toMoney(heading, find(row)).value,
})

/** @param find returns epoch milliseconds; null without a time */
export const makeTimeColumn = <Row,>(
  heading: string,
  find: (row: Row) => number | string | null | undefined,
): Column<Row> => {
  const read = (row: Row) => Number(find(row) ?? 0)
  return {
    ...{ heading, isTime: true },
    cell: (row) => read(row) > 0 && <Timestamp at={read(row)} />,
    value: (row) => read(row) || null,
  }
}

/** Returns the share of a part, with four decimals, for sorting and for files; null if the whole is zero. */
export const toShare = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
