import type { ReactNode } from 'react'
import { errorInWords } from '#domain/delivery/error-in-words.ts'
import type { ShownStatus } from '#domain/lead/lead-status.ts'
import { Reference } from '../lead/lead-link.tsx'
import { LeadName } from '../lead/lead-name.tsx'
import { LeadStatusMark } from '../lead/lead-status-mark.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Moment } from '../shell/moment.tsx'
import { type LeadColumn, leadColumns } from './lead-columns.ts'
import styles from './lead-table.module.css'

export interface LeadRow {
  readonly id: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly initials: string
  readonly area: string
  readonly program: string
  readonly status: ShownStatus
  readonly attempts: number
  readonly error: string | null
  readonly state: string | null
  readonly affiliate: string | null
  readonly isVerified: boolean | null
  /** In words, each. */
  readonly remarks: readonly string[]
}

/** The row's link: it is always there. */
const received: Column<LeadRow> = {
  heading: 'Received',
  isPlain: true,
  cell: LeadName,
}

const columns: Readonly<Record<LeadColumn, Column<LeadRow>>> = {
  reference: { heading: leadColumns.reference, cell: ({ id }) => <Reference id={id} /> },
  status: {
    heading: leadColumns.status,
    isPlain: true,
    cell: ({ status }) => <LeadStatusMark status={status} />,
  },
  initials: {
    heading: leadColumns.initials,
    isWhole: true,
    isPlain: true,
    cell: ({ initials }) => initials || '–',
  },
  area: { heading: leadColumns.area, isPlain: true, cell: ({ area }) => area },
  program: {
    heading: leadColumns.program,
    isLong: true,
    isPlain: true,
    cell: ({ program }) => program || '–',
  },
  state: { heading: leadColumns.state, isPlain: true, cell: ({ state }) => state ?? '–' },
  affiliate: {
    heading: leadColumns.affiliate,
    isPlain: true,
    cell: ({ affiliate }) =>
      affiliate === null ? (
        '–'
      ) : (
        <span className={styles.affiliate} title={affiliate}>
          {affiliate}
        </span>
      ),
  },
  verified: {
    heading: leadColumns.verified,
    cell: ({ isVerified }) => (isVerified === null ? '–' : isVerified ? 'yes' : 'no'),
  },
  tries: { heading: leadColumns.tries, isNumber: true, cell: ({ attempts }) => attempts },
  error: {
    heading: leadColumns.error,
    cell: ({ error }) => (error === null ? '–' : <span title={error}>{errorInWords(error)}</span>),
  },
  remarks: {
    heading: leadColumns.remarks,
    isPlain: true,
    cell: ({ remarks }) => (remarks.length === 0 ? '–' : remarks.join(', ')),
  },
}

const settling: Column<LeadRow> = {
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

interface LeadTableProps {
  columns: readonly LeadColumn[]
  rows: readonly LeadRow[]
  empty: ReactNode
  lookedUntil: number | undefined
  /** Each is in doubt, and who looks may say what became of it. */
  isToSettle: boolean
}

export const LeadTable = (props: LeadTableProps) => {
  const { columns: chosen, rows, empty, lookedUntil, isToSettle } = props
  const listed = [received, ...chosen.map((name) => columns[name])]
  return (
    <>
      <DataTable
        name="Leads"
        isCompact
        columns={isToSettle ? [...listed, settling] : listed}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          lookedUntil === undefined ? (
            empty
          ) : (
            <>
              Nothing found among those received since <Moment at={lookedUntil} />. Older ones were
              not looked at yet.
            </>
          )
        }
      />
      {rows.length > 0 && lookedUntil !== undefined && (
        <p>
          Looked at those received since <Moment at={lookedUntil} />. Older ones were not looked at
          yet.
        </p>
      )}
    </>
  )
}
