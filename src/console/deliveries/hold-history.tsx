import { describeHold, type Hold } from '#domain/delivery/hold.ts'
import { capitalised } from '#domain/text/capitalised.ts'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { formatDuration, Moment } from '../shell/times.tsx'
import styles from './deliveries-page.module.css'

/** When deliveries were held back before, and why: the latest of them. */
export const HoldHistory = ({ holds, now }: { holds: readonly Hold[]; now: number }) => (
  <DataTable
    name="Pauses and outages"
    columns={columnsAt(now)}
    rows={holds}
    keyOf={({ since, kind }) => `${kind} ${since}`}
    empty="No pause or outage so far."
  />
)

const columnsAt = (now: number): readonly Column<Hold>[] => [
  { heading: 'Cause', cell: (hold) => capitalised(describeHold(hold)) },
  { heading: 'From', cell: Beginning },
  { heading: 'To', cell: Ending },
  {
    heading: 'Duration',
    cell: ({ since, until, isOpen }) => {
      const end = isOpen ? now : until
      if (end === null) return '–'
      return <span className={styles.length}>{formatDuration(Math.max(1000, end - since))}</span>
    },
  },
  { heading: 'Ended by', cell: (hold) => describeEnd(hold) },
]

/** An outage is noticed some failed attempts after it began; until then deliveries went on. */
function Beginning({ since, heldFrom }: Hold) {
  if (heldFrom === null || heldFrom - since < 1000) return <Moment at={since} />
  return (
    <span>
      <Moment at={since} />, noticed <Moment at={heldFrom} />
    </span>
  )
}

function Ending({ until, isOpen }: Hold) {
  if (isOpen) return 'ongoing'
  return until === null ? 'unknown' : <Moment at={until} />
}

function describeEnd({ kind, isOpen, until, endedBy, endReason }: Hold): string {
  if (isOpen || until === null) return '–'
  const why = endReason === null ? '' : ` (${endReason})`
  if (kind === 'pause') return `${endedBy ?? 'an operator'}${why}`
  return endedBy === null && endReason === null
    ? 'a response of the distributor'
    : `${endedBy ?? 'an operator'}${why}`
}
