import { describeHold, type Hold } from '#domain/delivery/hold.ts'
import { capitalised } from '#domain/text/capitalised.ts'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { formatDuration, Moment } from '../shell/times.tsx'

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
  {
    heading: 'From',
    // The worker notices an outage only some failed attempts after it began.
    cell: ({ since, heldFrom }) => (
      <span>
        <Moment at={since} />
        {heldFrom !== null && heldFrom - since >= 1000 && (
          <>
            , noticed <Moment at={heldFrom} />
          </>
        )}
      </span>
    ),
  },
  {
    heading: 'To',
    cell: ({ until, isOpen }) =>
      isOpen ? 'ongoing' : until === null ? 'unknown' : <Moment at={until} />,
  },
  {
    heading: 'Duration',
    isWhole: true,
    cell: ({ since, until, isOpen }) => {
      const end = isOpen ? now : until
      return end === null ? '–' : formatDuration(Math.max(1000, end - since))
    },
  },
  { heading: 'Ended by', cell: describeEnd },
]

function describeEnd({ kind, isOpen, until, endedBy, endReason }: Hold): string {
  if (isOpen || until === null) return '–'
  const isByHand = kind === 'pause' || endedBy !== null || endReason !== null
  if (!isByHand) return 'a response of the distributor'
  return `${endedBy ?? 'an operator'}${endReason === null ? '' : ` (${endReason})`}`
}
