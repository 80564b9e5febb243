import type { CappedCount, ErrorGroup, UnacceptedState } from '#domain/delivery/deliveries-view.ts'
import { describeError } from '#domain/delivery/outcome.ts'
import { DistributorResponse } from '../lead/timeline.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Timestamp } from '../shell/times.tsx'
import styles from './deliveries-page.module.css'

interface ErrorGroupsProps {
  groups: readonly ErrorGroup[]
  mayRetry: boolean
}

/** Lists leads that the distributor did not accept, grouped by its response. */
export const ErrorGroups = ({ groups, mayRetry }: ErrorGroupsProps) => (
  <DataTable
    name="Errors"
    columns={mayRetry ? [...columns, retryColumn] : columns}
    rows={groups}
    keyOf={({ id }) => id}
    empty="No errors. Failed and rejected leads are grouped here by response, so that you can retry a group at once."
  />
)

/** Formats a count as in `182`, or `over 50,000` if not all leads were counted. */
export const formatCount = ({ count, isAll }: CappedCount): string =>
  `${isAll ? '' : 'over '}${count.toLocaleString('en-US')}`

/** Tells screen readers which group a link is about. */
const HiddenGroupName = ({ group: { error, words } }: { group: ErrorGroup }) => (
  <span className="visually-hidden">
    {describeError(error)} {words}
  </span>
)

const columns: readonly Column<ErrorGroup>[] = [
  {
    heading: 'Response',
    isLong: true,
    cell: (group) => (
      <span className={styles.response}>
        <strong>{describeError(group.error)}</strong>{' '}
        {group.words !== '' && <DistributorResponse words={group.words} />}{' '}
        <a href={`/leads/${group.example}`}>
          example <HiddenGroupName group={group} />
        </a>
      </span>
    ),
  },
  makeCountColumn('Waiting', 'waiting', 'status=pending&status=leased'),
  makeCountColumn('Failed', 'dead', 'status=dead'),
  makeCountColumn('Rejected', 'rejected', 'status=rejected'),
  { heading: 'First', cell: ({ firstAt }) => <Timestamp at={firstAt} /> },
  { heading: 'Last', cell: ({ lastAt }) => <Timestamp at={lastAt} /> },
]

function makeCountColumn(heading: string, of: UnacceptedState, status: string): Column<ErrorGroup> {
  return {
    heading,
    isNumber: true,
    cell: ({ id, leads }) => {
      if (leads[of].count === 0) return '–'
      const list = `/leads?error=${encodeURIComponent(id)}&${status}`
      return <a href={list}>{formatCount(leads[of])}</a>
    },
  }
}

const retryColumn: Column<ErrorGroup> = {
  heading: 'Action',
  isWhole: true,
  // Retrying helps after an outage, but a rejected lead is most often rejected again.
  cell: (group) => (
    <a
      className={
        group.leads.waiting.count + group.leads.dead.count > 0 ? controls.button : undefined
      }
      href={`/jobs/retry?error=${encodeURIComponent(group.id)}`}
    >
      Retry this group <HiddenGroupName group={group} />
    </a>
  ),
}
