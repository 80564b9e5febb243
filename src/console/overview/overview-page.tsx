import { isAllowed } from '#domain/operator/rights.ts'
import { LeadName } from '../lead/lead-name.tsx'
import { LeadStatusMark } from '../lead/lead-status-mark.tsx'
import { NoLeadYet, type NoLeadYetProps } from '../leads/no-lead-yet.tsx'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Notice } from '../shell/notice.tsx'
import { Figure } from './figure.tsx'
import styles from './figures.module.css'
import { Standing } from './standing.tsx'
import { Today, type TodayProps } from './today.tsx'
import type { OverviewFacts } from './troubles.ts'

export interface OverviewPageProps extends NoLeadYetProps {
  shell: Shell
  /** Epoch milliseconds. */
  now: number
  /** Leads by status, in the order in which they are shown. */
  counts: readonly (readonly [status: string, leads: number])[]
  leads: number
  facts: OverviewFacts
  today: TodayProps | undefined
  latest: readonly LatestRow[]
  /** Where the counts are of a while ago: when to ask again, in milliseconds. */
  askAgainIn: number | undefined
}

interface LatestRow {
  readonly id: string
  readonly receivedAt: number
  readonly initials: string
  readonly area: string
  readonly programName: string
  readonly status: string
}

const columns: readonly Column<LatestRow>[] = [
  { heading: 'Received', isPlain: true, cell: LeadName },
  { heading: 'Status', isPlain: true, cell: ({ status }) => <LeadStatusMark status={status} /> },
  { heading: 'Initials', isWhole: true, isPlain: true, cell: ({ initials }) => initials || '–' },
  { heading: 'Area', isPlain: true, cell: ({ area }) => area },
  { heading: 'Program', isPlain: true, cell: ({ programName }) => programName || '–' },
]

/** What an operator wants to know in five seconds. */
export function OverviewPage(props: OverviewPageProps) {
  const { shell, site, now, counts, leads, facts, today, latest, askAgainIn } = props
  return (
    <ConsolePage shell={shell} name="Overview" isLive>
      <div data-live-again={askAgainIn}>
        {leads === 0 && facts.notStored === undefined ? (
          <FirstSteps shell={shell} site={site} />
        ) : (
          <Standing facts={facts} now={now} />
        )}
      </div>
      <div>
        {leads > 0 && (
          <>
            <section aria-labelledby="today">
              <h2 id="today">Today</h2>
              {today && <Today {...today} />}
            </section>
            <section aria-labelledby="counts">
              <h2 id="counts">All leads</h2>
              <dl className={styles.statuses}>
                <Figure name="in all" count={leads} href="/leads" isFirst />
                {counts.map(([status, count]) => (
                  <Figure
                    key={status}
                    name={status}
                    count={count}
                    href={status === 'quarantined' ? '/quarantine' : `/leads?status=${status}`}
                  />
                ))}
              </dl>
            </section>
          </>
        )}
      </div>
      <section aria-labelledby="latest" data-live-rows="">
        <h2 id="latest">The latest</h2>
        <DataTable
          name="The latest leads"
          isCompact
          columns={columns}
          rows={latest}
          keyOf={({ id }) => id}
          empty="The newest leads stand here, within a second of their coming."
        />
      </section>
    </ConsolePage>
  )
}

/** Before the first lead there is nothing that could be well or not. */
const FirstSteps = ({ shell, site }: { shell: Shell } & NoLeadYetProps) => (
  <Notice kind="note" heading="No lead has come yet">
    <p>
      <NoLeadYet site={site} />
    </p>
    <p>
      Meanwhile <a href="/account">set a passkey or a password</a>
      {isAllowed(shell.operator?.role ?? 'viewer', 'see operators') && (
        <>
          , and <a href="/operators">invite who works with you</a>
        </>
      )}
      .
    </p>
  </Notice>
)
