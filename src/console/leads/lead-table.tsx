import type { ReactNode } from 'react'
import { describeError } from '#domain/delivery/outcome.ts'
import type { VisibleStatus } from '#domain/lead/lead-status.ts'
import { LeadName, LeadStatusBadge } from '../lead/lead-name.tsx'
import { LeadsCommand } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Reference } from '../shell/lead-link.tsx'
import styles from './lead-table.module.css'

export interface LeadRow {
  readonly id: string
  /** When the lead was received, in epoch milliseconds. */
  readonly receivedAt: number
  readonly initials: string
  readonly area: string
  readonly program: string
  readonly status: VisibleStatus
  readonly attempts: number
  readonly error: string | null
  readonly state: string | null
  readonly affiliate: string | null
  readonly source: string | null
  readonly campaign: string | null
  readonly isVerified: boolean | null
  readonly remarks: readonly string[]
}

interface LeadColumnOf extends Omit<Column<LeadRow>, 'cell'> {
  /** The cell's text, compared to find columns with one value in all rows. */
  readonly text: (row: LeadRow) => string | number | null
  /** Renders the cell; undefined if the cell shows only the text. */
  readonly cell?: (row: LeadRow) => ReactNode
}

/** A text of a link, which may be long; a narrow column cuts it. */
const TruncatedText = ({ text }: { text: string }) => (
  <span className={styles.cut} title={text}>
    {text}
  </span>
)

/** The columns that the list can show beside the time, in this order. Phones hide minor columns. */
export const leadColumns = {
  reference: {
    heading: 'Reference',
    text: ({ id }) => id,
    cell: ({ id }) => <Reference id={id} />,
  },
  status: {
    heading: 'Status',
    isPlain: true,
    text: ({ status }) => status,
    cell: ({ status }) => <LeadStatusBadge status={status} />,
  },
  initials: { heading: 'Initials', isWhole: true, isPlain: true, text: ({ initials }) => initials },
  area: { heading: 'Area', isPlain: true, isMinor: true, text: ({ area }) => area },
  program: { heading: 'Program', isLong: true, isPlain: true, text: ({ program }) => program },
  state: { heading: 'State', isPlain: true, isMinor: true, text: ({ state }) => state },
  affiliate: {
    heading: 'Affiliate',
    isPlain: true,
    isMinor: true,
    text: ({ affiliate }) => affiliate,
    cell: ({ affiliate }) => affiliate && <TruncatedText text={affiliate} />,
  },
  source: {
    heading: 'Source',
    isPlain: true,
    text: ({ source }) => source,
    cell: ({ source }) => source && <TruncatedText text={source} />,
  },
  campaign: {
    heading: 'Campaign',
    isPlain: true,
    text: ({ campaign }) => campaign,
    cell: ({ campaign }) => campaign && <TruncatedText text={campaign} />,
  },
  verified: {
    heading: 'Verified',
    text: ({ isVerified }) => (isVerified === null ? null : isVerified ? 'yes' : 'no'),
  },
  tries: { heading: 'Attempts', isNumber: true, isMinor: true, text: ({ attempts }) => attempts },
  error: {
    heading: 'Last error',
    text: ({ error }) => error,
    cell: ({ error }) => error && <span title={error}>{describeError(error)}</span>,
  },
  remarks: {
    heading: 'Remarks',
    isPlain: true,
    isMinor: true,
    text: ({ remarks }) => remarks.join(', '),
  },
} as const satisfies Readonly<Record<string, LeadColumnOf>>

export type LeadColumn = keyof typeof leadColumns

export const leadColumnNames = Object.keys(leadColumns) as readonly LeadColumn[]

/** The columns that the list shows until an operator chooses others. */
export const defaultColumns: readonly LeadColumn[] = leadColumnNames.filter(
  (name) => !['reference', 'source', 'campaign', 'verified'].includes(name),
)

const renderCell = ({ text, cell = text }: LeadColumnOf, row: LeadRow): ReactNode => cell(row)

const nextStepColumn: Column<LeadRow> = {
  heading: 'To do',
  isWhole: true,
  isPlain: true,
  cell: ({ id }) => (
    <a className={controls.button} href={`/leads/${id}/settle?restored=in-doubt`}>
      Settle
      <span className="visually-hidden"> {id}</span>
    </a>
  ),
}

const isUniform = (rows: readonly LeadRow[], { text }: LeadColumnOf): boolean =>
  rows.length > 1 && rows.every((row, _, [first = row]) => text(row) === text(first))

/** Shows each value that all rows share once above the table, in place of its column. */
function UniformColumns({ columns, row }: { columns: readonly LeadColumnOf[]; row: LeadRow }) {
  const filled = columns.filter(({ text }) => text(row) !== null && text(row) !== '')
  if (filled.length === 0) return null
  return (
    <p className={styles.same}>
      Same in every row:{' '}
      {filled.map((column, index) => (
        <span key={column.heading}>
          {index > 0 && ', '}
          {column.heading} <b>{renderCell(column, row)}</b>
        </span>
      ))}
    </p>
  )
}

interface LeadTableProps {
  columns: readonly LeadColumn[]
  rows: readonly LeadRow[]
  empty: ReactNode
  next?: { readonly href: string; readonly label: string } | '' | undefined
  /** True if the list contains leads in doubt, which the operator may settle. */
  isToSettle: boolean
}

export const LeadTable = (props: LeadTableProps) => {
  const { columns: chosen, rows, empty, next, isToSettle } = props
  // A phone shows all columns that an operator chose, however many lines they take.
  const isUsual = chosen.join() === defaultColumns.join()
  const shown = chosen.map((name): LeadColumnOf => leadColumns[name])
  const listed: readonly Column<LeadRow>[] = [
    { heading: 'Received', isPlain: true, cell: LeadName },
    ...shown.map((column) => ({
      ...column,
      cell: (row: LeadRow) => renderCell(column, row),
      isMinor: isUsual && (column.isMinor ?? false),
      isHidden: isUniform(rows, column),
    })),
  ]
  return (
    <>
      {rows[0] && (
        <UniformColumns columns={shown.filter((column) => isUniform(rows, column))} row={rows[0]} />
      )}
      <DataTable
        name="Leads"
        isCompact
        columns={isToSettle ? [...listed, nextStepColumn] : listed}
        rows={rows}
        keyOf={({ id }) => id}
        next={next || undefined}
        empty={empty}
      />
    </>
  )
}

/** The public address of the site; undefined until the site listens. */
export interface EmptyStoreHintProps {
  site: string | undefined
}

/** Explains an empty list: when leads appear, and how to send a first one. */
export const EmptyStoreHint = ({ site }: EmptyStoreHintProps) => (
  <>
    Each enquiry appears here a second after a visitor sends it. To try the form, send an enquiry on{' '}
    {site === undefined ? 'the site' : <a href={site}>the site</a>}: it goes to the distributor like
    any other. To test only the distributor, run <LeadsCommand verb="send-test-lead" />, which sends
    a lead that is marked as a test and isn’t stored.
  </>
)
