import type { LeadStatus } from '#domain/lead/lead-status.ts'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Moment } from '../shell/moment.tsx'
import styles from './leads-page.module.css'

export interface LeadRow {
  readonly id: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly initials: string
  readonly area: string
  readonly program: string
  readonly status: LeadStatus
  readonly attempts: number
  readonly error: string | null
  readonly state: string | null
  readonly affiliate: string | null
  /** In words, each. */
  readonly remarks: readonly string[]
}

const columns: readonly Column<LeadRow>[] = [
  {
    heading: 'Received',
    cell: ({ id, receivedAt }) => (
      <a href={`/leads/${id}`}>
        <Moment at={receivedAt} />
      </a>
    ),
  },
  {
    heading: 'Status',
    cell: ({ status }) => (
      <span className={styles.status} data-status={status}>
        {status}
      </span>
    ),
  },
  { heading: 'Initials', cell: ({ initials }) => initials || '–' },
  { heading: 'Area', cell: ({ area }) => area },
  { heading: 'Program', cell: ({ program }) => program || '–' },
  { heading: 'State', cell: ({ state }) => state ?? '–' },
  { heading: 'Affiliate', cell: ({ affiliate }) => affiliate ?? '–' },
  { heading: 'Tries', isNumber: true, cell: ({ attempts }) => attempts },
  { heading: 'Last error', cell: ({ error }) => error ?? '–' },
  {
    heading: 'Remarks',
    cell: ({ remarks }) => (remarks.length === 0 ? '–' : remarks.join('; ')),
  },
]

interface LeadTableProps {
  rows: readonly LeadRow[]
  empty: string
  lookedUntil: number | undefined
}

export const LeadTable = ({ rows, empty, lookedUntil }: LeadTableProps) => (
  <>
    <DataTable
      name="Leads"
      columns={columns}
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
