import type { BreakerState } from '#domain/delivery/breaker.ts'
import { LeadLink } from '../lead/lead-link.tsx'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Moment } from '../shell/moment.tsx'
import { Notice } from '../shell/notice.tsx'
import styles from './figures.module.css'

export interface OverviewPageProps {
  shell: Shell
  /** Leads by status, in the order in which they are shown. */
  counts: readonly (readonly [status: string, leads: number])[]
  leads: number
  /** Undefined where nothing holds deliveries up. */
  hold: string | undefined
  breaker: BreakerState
  latest: readonly LatestRow[]
}

interface LatestRow {
  readonly id: string
  readonly receivedAt: number
  readonly area: string
  readonly programName: string
  readonly status: string
}

const columns: readonly Column<LatestRow>[] = [
  { heading: 'Received', cell: ({ receivedAt }) => <Moment at={receivedAt} /> },
  { heading: 'Area', cell: ({ area }) => area },
  { heading: 'Program', cell: ({ programName }) => programName },
  { heading: 'Status', cell: ({ status }) => status },
  { heading: 'Reference', cell: ({ id }) => <LeadLink id={id} /> },
]

/** What an operator wants to know in five seconds. */
export function OverviewPage({ shell, counts, leads, hold, breaker, latest }: OverviewPageProps) {
  return (
    <ConsolePage shell={shell} name="Overview" follows={['leads', 'deliveries']}>
      <div data-live="standing">
        <Standing hold={hold} breaker={breaker} counts={new Map(counts)} />
      </div>
      <section aria-labelledby="counts" data-live="counts">
        <h2 id="counts">Leads</h2>
        <dl className={styles.figures}>
          <Figure name="in all" count={leads} href="/leads" />
          {counts.map(([status, count]) => (
            <Figure key={status} name={status} count={count} href={`/leads?status=${status}`} />
          ))}
        </dl>
      </section>
      <section aria-labelledby="latest" data-live="latest" data-live-kind="rows">
        <h2 id="latest">The latest</h2>
        <DataTable
          name="The latest leads"
          columns={columns}
          rows={latest}
          keyOf={({ id }) => id}
          empty="No lead has come yet. Send an enquiry on the site, and it stands here at the next look."
        />
      </section>
    </ConsolePage>
  )
}

const Figure = ({ name, count, href }: { name: string; count: number; href: string }) => (
  <div className={styles.figure}>
    <dt>
      <a href={href}>{name}</a>
    </dt>
    <dd>{count.toLocaleString('en-US')}</dd>
  </div>
)

interface StandingProps {
  hold: string | undefined
  breaker: BreakerState
  counts: ReadonlyMap<string, number>
}

/** Is all well? Else what is not, and what to do. */
function Standing({ hold, breaker, counts }: StandingProps) {
  const dead = counts.get('dead') ?? 0
  if (hold !== undefined) {
    const isPause = breaker.pause !== null
    return (
      <Notice
        kind={isPause ? 'note' : 'problem'}
        heading={isPause ? 'Deliveries are paused' : 'Deliveries wait'}
      >
        <p>Deliveries: {hold}</p>
      </Notice>
    )
  }
  if (dead > 0) {
    return (
      <Notice
        kind="problem"
        heading={`${dead.toLocaleString('en-US')} ${dead === 1 ? 'delivery has' : 'deliveries have'} used up all tries`}
      >
        <p>
          They wait for you: <a href="/leads?status=dead">look at them</a>, and each says why. Once
          the reason is gone, <code>npm run leads -- retry --all-dead</code> sends them again. The
          runbook (docs/runbook.md) has the reasons.
        </p>
      </Notice>
    )
  }
  return (
    <Notice kind="well" heading="All is well">
      <p>Nothing holds deliveries up, and none has used up its tries.</p>
    </Notice>
  )
}
