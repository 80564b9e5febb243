import type { ReactNode } from 'react'
import controls from '#console/shell/controls.module.css'
import { type Column, DataTable } from '#console/shell/data-table.tsx'
import { LeadStatusBadge, LeadTimeLink } from '#console/shell/lead-link.tsx'
import { LeadsCommand } from '#console/shell/shell.tsx'
import { describeSignal } from '#domain/abuse/signals.ts'
import { describeAttemptError } from '#domain/delivery/outcome.ts'
import type { ListedLead } from '#server/leads/list-leads.ts'
import styles from './lead-table.module.css'

interface LeadTableColumn extends Omit<Column<ListedLead>, 'cell'> {
  readonly read: (lead: ListedLead) => string | number | null
  /** By default, a cell shows the value. */
  readonly cell?: (lead: ListedLead) => ReactNode
}

const leadColumns: readonly LeadTableColumn[] = [
  {
    heading: 'Status',
    isUnlabeled: true,
    read: ({ status }) => status,
    cell: ({ status }) => <LeadStatusBadge status={status} />,
  },
  { heading: 'Initials', isOneLine: true, isUnlabeled: true, read: ({ initials }) => initials },
  { heading: 'Area', isUnlabeled: true, isHiddenOnPhones: true, read: ({ area }) => area },
  { heading: 'Program', isWide: true, isUnlabeled: true, read: ({ programName }) => programName },
  { heading: 'State', isUnlabeled: true, isHiddenOnPhones: true, read: ({ state }) => state },
  {
    heading: 'Affiliate',
    isUnlabeled: true,
    isHiddenOnPhones: true,
    read: ({ affiliate }) => affiliate,
    // The text comes from a visitor's link, so it may be long.
    cell: ({ affiliate }) =>
      affiliate && (
        <span className={styles.truncated} title={affiliate}>
          {affiliate}
        </span>
      ),
  },
  {
    heading: 'Attempts',
    isNumber: true,
    isHiddenOnPhones: true,
    read: ({ attempts }) => attempts,
  },
  {
    heading: 'Last error',
    read: ({ error, reason }) => reason ?? error,
    cell: ({ error, reason }) =>
      error && <span title={error}>{reason ?? describeAttemptError(error)}</span>,
  },
  {
    heading: 'Remarks',
    isUnlabeled: true,
    isHiddenOnPhones: true,
    read: (lead) =>
      [
        lead.isUnreadable && 'unreadable',
        lead.isHeld && 'held by a cap',
        lead.isReturned && 'returned',
        lead.isVerified === false && 'address not verified',
        ...lead.signals.map(describeSignal),
      ]
        .filter((remark) => remark !== false)
        .join(', '),
  },
]

const settleColumn: Column<ListedLead> = {
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

/** Shows values that all rows share, once above the table instead of in columns. */
function SharedValues({
  columns,
  row,
}: {
  columns: readonly Column<ListedLead>[]
  row: ListedLead
}) {
  const shown = columns.filter(({ cell }) => ![null, ''].includes(cell(row) as string | null))
  if (shown.length === 0) return null
  return (
    <p className={styles.shared}>
      Same in every row:{' '}
      {shown.map(({ heading, cell }, index) => (
        <span key={heading}>
          {index > 0 && ', '}
          {heading} <b>{cell(row)}</b>
        </span>
      ))}
    </p>
  )
}

interface LeadTableProps {
  name?: string
  rows: readonly ListedLead[]
  empty: ReactNode
  next?: { readonly href: string; readonly label: string } | undefined
  /** Whether the list contains leads in doubt, which the operator may settle. */
  isToSettle?: boolean
}

export const LeadTable = ({
  name = 'Leads',
  rows,
  empty,
  next,
  isToSettle = false,
}: LeadTableProps) => {
  const [first] = rows
  const columns = leadColumns.map(
    (column): Column<ListedLead> => ({
      cell: column.read,
      ...column,
      isHidden:
        rows.length > 1 && rows.every((row) => first && column.read(row) === column.read(first)),
    }),
  )
  return (
    <>
      {first && <SharedValues columns={columns.filter(({ isHidden }) => isHidden)} row={first} />}
      <DataTable
        name={name}
        isCompact
        columns={[
          { heading: 'Received', isUnlabeled: true, cell: LeadTimeLink },
          ...columns,
          ...(isToSettle ? [settleColumn] : []),
        ]}
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
