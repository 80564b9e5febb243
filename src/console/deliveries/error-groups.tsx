import { describeError } from '#domain/delivery/describe-outcome.ts'
import { DistributorWords } from '../lead/timeline-attempts.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Moment } from '../shell/times.tsx'
import styles from './deliveries-page.module.css'
import type { ShownGroup } from './shown-deliveries.ts'
import { formatCount } from './shown-deliveries.ts'

/** Nobody reads more of them. */
const shownAtMost = 50

interface ErrorGroupsProps {
  groups: readonly ShownGroup[]
  /** The address to retry a group; undefined without the right. */
  retryAt: ((groupId: string) => string) | undefined
}

/** Leads that wait after a failure, are dead or were rejected, by the distributor's response. */
export function ErrorGroups({ groups, retryAt }: ErrorGroupsProps) {
  const more = groups.length - shownAtMost
  return (
    <>
      <DataTable
        name="Errors"
        columns={retryAt === undefined ? columns : [...columns, retryColumn(retryAt)]}
        rows={groups.slice(0, shownAtMost)}
        keyOf={({ id }) => id}
        empty="No errors. Failed and rejected leads are grouped here by response, so that you can retry a group at once."
      />
      {more > 0 && (
        <p>
          {more} smaller groups are not shown: <a href="/leads?status=dead">all dead leads</a>,{' '}
          <a href="/leads?status=rejected">all rejected leads</a>.
        </p>
      )}
    </>
  )
}

const listOf = (id: string): string => `/leads?error=${encodeURIComponent(id)}`

const columns: readonly Column<ShownGroup>[] = [
  {
    heading: 'Response',
    isLong: true,
    cell: ({ error, words, example }) => (
      <span className={styles.said}>
        <strong>{describeError(error)}</strong> {words !== '' && <DistributorWords words={words} />}{' '}
        <a href={`/leads/${example}`}>
          example
          <span className="visually-hidden">
            : {describeError(error)} {words}
          </span>
        </a>
      </span>
    ),
  },
  countColumn('Waiting', 'waiting', '&status=pending&status=leased'),
  countColumn('Dead', 'dead', '&status=dead'),
  countColumn('Rejected', 'rejected', '&status=rejected'),
  { heading: 'First', cell: ({ firstAt }) => <Moment at={firstAt} /> },
  { heading: 'Last', cell: ({ lastAt }) => <Moment at={lastAt} /> },
]

function countColumn(
  heading: string,
  standing: keyof ShownGroup['leads'],
  status: string,
): Column<ShownGroup> {
  return {
    heading,
    isNumber: true,
    cell: ({ id, leads }) => {
      const counted = leads[standing]
      if (counted.count === 0) return '–'
      return <a href={listOf(id) + status}>{formatCount(counted)}</a>
    },
  }
}

const retryColumn = (retryAt: (groupId: string) => string): Column<ShownGroup> => ({
  heading: 'Action',
  isWhole: true,
  // Retrying helps after an outage. A rejected lead is most often rejected again.
  cell: ({ id, error, words, leads }) => (
    <a
      className={leads.waiting.count + leads.dead.count > 0 ? controls.button : undefined}
      href={retryAt(id)}
    >
      Retry this group
      <span className="visually-hidden">
        : {describeError(error)} {words}
      </span>
    </a>
  ),
})
