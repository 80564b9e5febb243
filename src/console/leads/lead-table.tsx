import type { ReactNode } from 'react'
import controls from '#console/shell/controls.module.css'
import { type Column, DataTable } from '#console/shell/data-table.tsx'
import { LeadReference, LeadStatusBadge, LeadTimeLink } from '#console/shell/lead-link.tsx'
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

/** Cuts off a text from a visitor's link, because the text may be long. */
const makeTextColumn = (heading: string, field: 'affiliate' | 'source' | 'campaign') => ({
  heading,
  isUnlabeled: true,
  read: (lead: ListedLead) => lead[field],
  cell: ({ [field]: text }: ListedLead) =>
    text && (
      <span className={styles.truncated} title={text}>
        {text}
      </span>
    ),
})

/** The columns that the list can show after the time of receipt, in this order. */
export const leadTableColumns = {
  reference: {
    heading: 'Reference',
    read: ({ reference }) => reference,
    cell: ({ id }) => <LeadReference id={id} />,
  },
  status: {
    heading: 'Status',
    isUnlabeled: true,
    read: ({ status }) => status,
    cell: ({ status }) => <LeadStatusBadge status={status} />,
  },
  initials: {
    heading: 'Initials',
    isOneLine: true,
    isUnlabeled: true,
    read: ({ initials }) => initials,
  },
  area: {
    heading: 'Area',
    isUnlabeled: true,
    isHiddenOnPhones: true,
    read: ({ area }) => area,
  },
  program: {
    heading: 'Program',
    isWide: true,
    isUnlabeled: true,
    read: ({ programName }) => programName,
  },
  state: {
    heading: 'State',
    isUnlabeled: true,
    isHiddenOnPhones: true,
    read: ({ state }) => state,
  },
  affiliate: { ...makeTextColumn('Affiliate', 'affiliate'), isHiddenOnPhones: true },
  source: makeTextColumn('Source', 'source'),
  campaign: makeTextColumn('Campaign', 'campaign'),
  verified: {
    heading: 'Verified',
    read: ({ isVerified }) => (isVerified === null ? null : isVerified ? 'yes' : 'no'),
  },
  tries: {
    heading: 'Attempts',
    isNumber: true,
    isHiddenOnPhones: true,
    read: ({ attempts }) => attempts,
  },
  error: {
    heading: 'Last error',
    read: ({ error }) => error,
    cell: ({ error }) => error && <span title={error}>{describeAttemptError(error)}</span>,
  },
  remarks: {
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
} as const satisfies Readonly<Record<string, LeadTableColumn>>

export type LeadColumn = keyof typeof leadTableColumns

export const leadColumnNames = Object.keys(leadTableColumns) as readonly LeadColumn[]

/** The columns that the list shows until an operator chooses others. */
export const defaultColumns: readonly LeadColumn[] = leadColumnNames.filter(
  (name) => !['reference', 'source', 'campaign', 'verified'].includes(name),
)

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
  columns: readonly LeadColumn[]
  rows: readonly ListedLead[]
  empty: ReactNode
  next?: { readonly href: string; readonly label: string } | undefined
  /** Whether the list contains leads in doubt, which the operator may settle. */
  isToSettle: boolean
}

export const LeadTable = ({ columns, rows, empty, next, isToSettle }: LeadTableProps) => {
  const [first] = rows
  const isDefault = columns.join() === defaultColumns.join()
  const chosen = columns.map((name): Column<ListedLead> => {
    const column: LeadTableColumn = leadTableColumns[name]
    const { read } = column
    return {
      cell: read,
      ...column,
      isHidden: rows.length > 1 && rows.every((row) => first && read(row) === read(first)),
      // If the operator chose the columns, a phone shows all of them.
      isHiddenOnPhones: isDefault && column.isHiddenOnPhones === true,
    }
  })
  return (
    <>
      {first && <SharedValues columns={chosen.filter(({ isHidden }) => isHidden)} row={first} />}
      <DataTable
        name="Leads"
        isCompact
        columns={[
          { heading: 'Received', isUnlabeled: true, cell: LeadTimeLink },
          ...chosen,
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
