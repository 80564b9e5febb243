import { describeBreaker, restorePauseReason } from '#domain/delivery/breaker.ts'
import type {
  DeliveriesView,
  ErrorGroup,
  LimitedCount,
  StateAfterFailedAttempt,
} from '#domain/delivery/deliveries-view.ts'
import { describeAttemptError } from '#domain/delivery/outcome.ts'
import { DistributorResponse } from '../lead/timeline.tsx'
import { refreshIntervalMs } from '../overview/overview-page.tsx'
import { ConsolePage, type ConsoleShell, isActionAllowed } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable, makeNumberColumn } from '../shell/data-table.tsx'
import figureStyles from '../shell/figures.module.css'
import { formatNumber } from '../shell/format-numbers.ts'
import { PostForm, ReasonField, SubmitButton } from '../shell/forms.tsx'
import { inDoubtLeadsUrl } from '../shell/lead-link.tsx'
import { Callout, type Message } from '../shell/message.tsx'
import { StatTile } from '../shell/stat-tile.tsx'
import { formatDuration, Timestamp } from '../shell/times.tsx'
import { AttemptChart } from './attempt-chart.tsx'
import styles from './deliveries-page.module.css'

export interface DeliveriesPageProps {
  shell: ConsoleShell
  view: DeliveriesView
  message?: Message | undefined
  /** The reason that the operator typed, if the server refused the form. */
  reason?: string | undefined
}

export function DeliveriesPage(props: DeliveriesPageProps) {
  const { shell, view, message } = props
  return (
    <ConsolePage shell={shell} name="Deliveries" message={message} isLive>
      <div className={styles.top}>
        <div>
          <div data-live-again={refreshIntervalMs}>
            <DeliveriesStatus view={view} />
          </div>
          <BacklogCounts backlog={view.backlog} now={view.now} />
        </div>
        {isActionAllowed(shell, 'pause deliveries') && <PauseForm {...props} />}
      </div>
      <section aria-labelledby="errors" data-live-rows="">
        <h2 id="errors">Errors</h2>
        <p className={styles.hint}>
          The table groups leads by the distributor’s response: leads that failed, were rejected or
          wait after a failed attempt. In a response, “…” stands for numbers, addresses and names.
        </p>
        <ErrorGroups {...props} />
      </section>
      <section aria-labelledby="results">
        <h2 id="results">Delivery results</h2>
        <AttemptChart {...view.figures} />
      </section>
    </ConsolePage>
  )
}

export function DeliveriesStatus({ view }: { view: Pick<DeliveriesView, 'breaker' | 'now'> }) {
  const { pause, trip } = view.breaker
  const stop = pause ?? trip
  if (stop === null) return <Callout kind="well" heading="Deliveries are running" />
  const state = trip === null ? 'Paused' : trip.cause === 'outage' ? 'Outage' : 'Refused'
  return (
    <Callout
      kind={trip === null ? 'note' : 'problem'}
      heading={`${state} for ${formatDuration(view.now - stop.since)}`}
    >
      <p>
        Since <Timestamp at={stop.since} />: {describeBreaker(view.breaker, () => '')}
      </p>
      {pause?.reason === restorePauseReason && (
        <p>
          First settle the <a href={inDoubtLeadsUrl}>leads in doubt</a>. The distributor may already
          have these leads, and Resume would send them again.
        </p>
      )}
    </Callout>
  )
}

/** Shows the counts of waiting leads, with links to these leads. */
function BacklogCounts({ backlog, now }: Pick<DeliveriesView, 'backlog' | 'now'>) {
  const { waiting, due, held, oldest } = backlog
  const list = '/leads?status=pending&status=leased'
  return (
    <dl className={figureStyles.figures}>
      <StatTile name="waiting" value={formatLimitedCount(waiting)} href={list} />
      <StatTile name="due now" value={formatLimitedCount(due)} />
      {held > 0 && <StatTile name="held" value={formatNumber(held)} href="/leads?held=any" />}
      <StatTile
        name={held > 0 ? 'oldest not held' : 'oldest'}
        value={oldest ? formatDuration(now - oldest.receivedAt) : '–'}
        href={oldest ? `/leads/${oldest.id}` : list}
      />
    </dl>
  )
}

function PauseForm({ shell, view, message, reason }: DeliveriesPageProps) {
  const { pause, trip } = view.breaker
  const isStopped = pause !== null || trip !== null
  return (
    <PostForm
      className={styles.pause}
      action="/deliveries/pause"
      token={shell.token}
      aria-label="Pause and resume deliveries"
    >
      <h2>Pause or resume deliveries</h2>
      <ReasonField value={reason} error={message?.fields?.reason} />
      <div className={controls.row}>
        {pause === null && (
          <SubmitButton variant={isStopped ? 'button' : 'primary'}>Pause</SubmitButton>
        )}
        {isStopped && (
          <SubmitButton variant="primary" formAction="/deliveries/resume">
            Resume
          </SubmitButton>
        )}
      </div>
    </PostForm>
  )
}

/** Lists the leads that the distributor did not accept, grouped by the distributor's response. */
const ErrorGroups = ({ shell, view }: DeliveriesPageProps) => (
  <DataTable
    name="Errors"
    columns={[
      ...errorGroupColumns,
      ...(isActionAllowed(shell, 'retry deliveries') ? [retryColumn] : []),
    ]}
    rows={view.groups}
    keyOf={({ id }) => id}
    empty="No errors. Failed and rejected leads are grouped here by response, so that you can retry a group at once."
  />
)

/** Returns, for example, `182`, or `over 50,000` if not all leads were counted. */
const formatLimitedCount = ({ count, isAll }: LimitedCount): string =>
  `${isAll ? '' : 'over '}${formatNumber(count)}`

/** Tells screen readers which group a link is about. */
const HiddenGroupName = ({ group: { error, words } }: { group: ErrorGroup }) => (
  <span className="visually-hidden">
    {describeAttemptError(error)} {words}
  </span>
)

const errorGroupColumns: readonly Column<ErrorGroup>[] = [
  {
    heading: 'Response',
    isWide: true,
    cell: (group) => (
      <span className={styles.response}>
        <strong>{describeAttemptError(group.error)}</strong>{' '}
        {group.words !== '' && <DistributorResponse text={group.words} />}{' '}
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

function makeCountColumn(heading: string, state: StateAfterFailedAttempt, query: string) {
  return makeNumberColumn<ErrorGroup>(
    heading,
    ({ id, leads }) =>
      leads[state].count > 0 && (
        <a href={`/leads?error=${encodeURIComponent(id)}&${query}`}>
          {formatLimitedCount(leads[state])}
        </a>
      ),
  )
}

const retryColumn: Column<ErrorGroup> = {
  heading: 'Action',
  isOneLine: true,
  // A retry helps after an outage, so the link then looks like a button. A group of rejected leads has a plain link,
  // because the distributor would most likely reject the leads again.
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
