import type { ReactNode } from 'react'
import { LeadStatusBadge, LeadTimeLink } from '#console/lead/lead-time-link.tsx'
import controls from '#console/shell/controls.module.css'
import { type Column, DataTable } from '#console/shell/data-table.tsx'
import { ShortReference } from '#console/shell/lead-link.tsx'
import { LeadsCommand } from '#console/shell/shell.tsx'
import { describeAttemptError } from '#domain/delivery/outcome.ts'
import type { VisibleStatus } from '#domain/lead/lead-status.ts'
import styles from './lead-table.module.css'

export interface LeadTableRow {
  readonly id: string
  /** Epoch milliseconds. */
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

/** Cuts off a text from a visitor's link, because the text may be long. */
const TruncatedText = ({ text }: { text: string }) => (
  <span className={styles.truncated} title={text}>
    {text}
  </span>
)

interface LeadTableColumn extends Omit<Column<LeadTableRow>, 'cell'> {
  readonly field: keyof LeadTableRow
  /** By default, a cell shows the field. */
  readonly cell?: (row: LeadTableRow) => ReactNode
}

/** The columns that the list can show after the time of receipt, in this order. */
export const leadTableColumns = {
  reference: { heading: 'Reference', field: 'id', cell: ({ id }) => <ShortReference id={id} /> },
  status: {
    heading: 'Status',
    field: 'status',
    isUnlabeled: true,
    cell: ({ status }) => <LeadStatusBadge status={status} />,
  },
  initials: { heading: 'Initials', field: 'initials', isOneLine: true, isUnlabeled: true },
  area: { heading: 'Area', field: 'area', isUnlabeled: true, isHiddenOnPhones: true },
  program: { heading: 'Program', field: 'program', isWide: true, isUnlabeled: true },
  state: { heading: 'State', field: 'state', isUnlabeled: true, isHiddenOnPhones: true },
  affiliate: {
    heading: 'Affiliate',
    field: 'affiliate',
    isUnlabeled: true,
    isHiddenOnPhones: true,
    cell: ({ affiliate }) => affiliate && <TruncatedText text={affiliate} />,
  },
  source: {
    heading: 'Source',
    field: 'source',
    isUnlabeled: true,
    cell: ({ source }) => source && <TruncatedText text={source} />,
  },
  campaign: {
    heading: 'Campaign',
    field: 'campaign',
    isUnlabeled: true,
    cell: ({ campaign }) => campaign && <TruncatedText text={campaign} />,
  },
  verified: {
    heading: 'Verified',
    field: 'isVerified',
    cell: ({ isVerified }) => isVerified !== null && (isVerified ? 'yes' : 'no'),
  },
  tries: { heading: 'Attempts', field: 'attempts', isNumber: true, isHiddenOnPhones: true },
  error: {
    heading: 'Last error',
    field: 'error',
    cell: ({ error }) => error && <span title={error}>{describeAttemptError(error)}</span>,
  },
  remarks: {
    heading: 'Remarks',
    field: 'remarks',
    isUnlabeled: true,
    isHiddenOnPhones: true,
    cell: ({ remarks }) => remarks.join(', '),
  },
} as const satisfies Readonly<Record<string, LeadTableColumn>>

export type LeadColumn = keyof typeof leadTableColumns

export const leadColumnNames = Object.keys(leadTableColumns) as readonly LeadColumn[]

/** The columns that the list shows until an operator chooses others. */
export const defaultColumns: readonly LeadColumn[] = leadColumnNames.filter(
  (name) => !['reference', 'source', 'campaign', 'verified'].includes(name),
)

const settleColumn: Column<LeadTableRow> = {
  heading: 'To do',
  isOneLine: true,
  isUnlabeled: true,
  cell: ({ id }) => (
    <a className={controls.button} href={`/leads/${id}/settle?restored=in-doubt`}>
      Settle
      <span className="visually-hidden"> {id}</span>
    </a>
  ),
}

const hasOneValue = (rows: readonly LeadTableRow[], { field }: LeadTableColumn): boolean =>
  rows.length > 1 && new Set(rows.map((row) => String(row[field]))).size === 1

/** If all rows have the same value in a column, shows this value once above the table instead of the column. */
function SharedValues({
  columns,
  row,
}: {
  columns: readonly Column<LeadTableRow>[]
  row: LeadTableRow
}) {
  const values = columns.flatMap(({ heading, cell }) => {
    const value = cell(row)
    return value === null || value === false || value === '' ? [] : [{ heading, value }]
  })
  if (values.length === 0) return null
  return (
    <p className={styles.shared}>
      Same in every row:{' '}
      {values.map(({ heading, value }, index) => (
        <span key={heading}>
          {index > 0 && ', '}
          {heading} <b>{value}</b>
        </span>
      ))}
    </p>
  )
}

interface LeadTableProps {
  columns: readonly LeadColumn[]
  rows: readonly LeadTableRow[]
  empty: ReactNode
  next?: { readonly href: string; readonly label: string } | undefined
  /** Whether the list contains leads in doubt, which the operator may settle. */
  isToSettle: boolean
}

export const LeadTable = (props: LeadTableProps) => {
  const { columns: chosen, rows, empty, next, isToSettle } = props
  const isDefault = chosen.join() === defaultColumns.join()
  const chosenColumns = chosen.map((name) => {
    const column: LeadTableColumn = leadTableColumns[name]
    return {
      cell: (row: LeadTableRow) => row[column.field],
      ...column,
      isHidden: hasOneValue(rows, column),
      // If the operator chose the columns, a phone shows all of them.
      ...(!isDefault && { isHiddenOnPhones: false }),
    }
  })
  const columns: readonly Column<LeadTableRow>[] = [
    { heading: 'Received', isUnlabeled: true, cell: LeadTimeLink },
    ...chosenColumns,
    ...(isToSettle ? [settleColumn] : []),
  ]
  return (
    <>
      {rows[0] && (
        <SharedValues columns={chosenColumns.filter(({ isHidden }) => isHidden)} row={rows[0]} />
      )}
      <DataTable
        name="Leads"
        isCompact
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        next={next}
        empty={empty}
      />
    </>
  )
}

export interface EmptyStoreHintProps {
  /** The site's URL; undefined if the site listens on any free port (`PORT=0`). */
  site: string | undefined
}

/** Explains in an empty list when leads appear and how to send a first lead. */
export const EmptyStoreHint = ({ site }: EmptyStoreHintProps) => (
  <>
    Each enquiry appears here a second after a visitor sends it. To try the form, send an enquiry on{' '}
    {site === undefined ? 'the site' : <a href={site}>the site</a>}: a worker sends it to the
    distributor like any other enquiry. To test only the connection to the distributor, run{' '}
    <LeadsCommand verb="send-test-lead" />, which sends a lead that is marked as a test and isn’t
    stored.
  </>
)
