import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { DistributorResponse } from '#console/lead/timeline.tsx'
import { refreshIntervalMs } from '#console/overview/overview-page.tsx'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { type Column, makeNumberColumn } from '#console/shell/data-table.tsx'
import { StatTile } from '#console/shell/description-list.tsx'
import figureStyles from '#console/shell/figures.module.css'
import { PostForm, ReasonField, SubmitButton } from '#console/shell/forms.tsx'
import { Callout } from '#console/shell/message.tsx'
import { useMayDo } from '#console/shell/shell.tsx'
import { makeTimeColumn, SortableTable } from '#console/shell/sortable-table.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { describeBreaker, restorePauseReason } from '#domain/delivery/breaker.ts'
import {
  type DeliveriesView,
  type ErrorGroup,
  type ErrorGroupKind,
  type LimitedCount,
  retriedStatuses,
  type StateAfterFailedAttempt,
} from '#domain/delivery/deliveries-view.ts'
import { describeAttemptError, hiddenResponseLabel } from '#domain/delivery/outcome.ts'
import { inDoubtLeadsUrl } from '#domain/lead/lead-filter.ts'
import { findReasonError, type Message, makeFieldMessage } from '#domain/operator/messages.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { capitalize, formatNumber } from '#domain/text/formats.ts'
import { formatDuration } from '#domain/text/time-formats.ts'
import { makePauseMessage } from '#server/delivery/action-messages.ts'
import { readAttemptChart } from '#server/delivery/delivery-counts.ts'
import {
  maxPauseReasonLength,
  namePauser,
  type PauseAct,
} from '#server/delivery/pause-deliveries.ts'
import { listErrorGroups } from '#server/leads/error-groups.ts'
import { authorize } from '#server/operators/authorize.ts'
import { makeProportionalLifetime, makeTimedCache } from '#server/platform/timed-cache.ts'
import { AttemptChart } from './attempt-chart.tsx'
import styles from './deliveries-page.module.css'

const path = '/deliveries'

const countsCacheFactor = 10

export function deliveryRoutes({ store, flash, pauseDeliveries, clock }: ConsoleServices) {
  const { backlog, breaker, database, rollups } = store.forConsole
  const readCounts = makeTimedCache(
    async () => ({
      backlog: await backlog.read(clock()),
      groups: await listErrorGroups(database.db),
      figures: await readAttemptChart(rollups, clock()),
    }),
    makeProportionalLifetime(countsCacheFactor),
  )
  const show = async (c: ConsoleContext, message?: Message, reason?: string) => {
    const actor = c.get('actor')
    const now = clock()
    authorize(actor, 'see deliveries', now)
    const [counts, state] = await Promise.all([readCounts(), breaker.read()])
    const named = await namePauser(store.audit, actor, state)
    const groups = isAllowed(actor.role, 'reveal a lead')
      ? counts.groups
      : counts.groups.map((group) => ({ ...group, words: hiddenResponseLabel }))
    const view = { ...counts, groups, breaker: named, now }
    return c.render(<DeliveriesPage view={view} reason={reason} />, message, message && 400)
  }
  const pauseOrResume = async (c: ConsoleContext, act: PauseAct) => {
    const { reason } = await readForm(c, 'reason')
    const fault = findReasonError(reason, maxPauseReasonLength)
    if (fault !== undefined) return show(c, makeFieldMessage({ reason: fault }), reason)
    const isChanged = await pauseDeliveries(c.get('actor'), act, reason)
    return flash.redirect(c, path, makePauseMessage(act, isChanged))
  }

  return new Hono<ConsoleEnv>()
    .get(path, (c) => show(c))
    .post(`${path}/pause`, (c) => pauseOrResume(c, 'pause'))
    .post(`${path}/resume`, (c) => pauseOrResume(c, 'resume'))
    .post(`${path}/try`, (c) => pauseOrResume(c, 'tryNow'))
}

interface DeliveriesPageProps {
  view: DeliveriesView
  /** The reason that the operator typed, if the server refused the form. */
  reason?: string | undefined
}

function DeliveriesPage(props: DeliveriesPageProps) {
  const { view } = props
  const mayDo = useMayDo()
  return (
    <ConsolePage name="Deliveries" isLive>
      <div className={styles.top}>
        <div>
          <div data-live-again={refreshIntervalMs}>
            <DeliveriesStatus view={view} />
          </div>
          <BacklogCounts backlog={view.backlog} now={view.now} />
        </div>
        {mayDo('pause deliveries') && <PauseForm {...props} />}
      </div>
      <section aria-labelledby="errors" data-live-rows="">
        <h2 id="errors">Errors</h2>
        <p className={styles.hint}>
          Leads that failed or wait after a failed attempt, by response. Retry them once the cause
          is fixed. In a response, “…” stands for numbers, addresses and names.
        </p>
        <ErrorGroups view={view} kind="errors" />
      </section>
      <section aria-labelledby="rejections" data-live-rows="">
        <h2 id="rejections">Rejections</h2>
        <p className={styles.hint}>
          Leads that the distributor read and doesn’t want, by response. Another attempt seldom
          helps: find out which visitors, program or cap causes a rejection.
        </p>
        <ErrorGroups view={view} kind="rejections" />
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

function PauseForm({ view, reason }: DeliveriesPageProps) {
  const { pause, trip } = view.breaker
  return (
    <PostForm
      className={styles.pause}
      action="/deliveries/pause"
      aria-label="Pause and resume deliveries"
    >
      <h2>Pause or resume deliveries</h2>
      <ReasonField value={reason} />
      <div className={controls.row}>
        {pause === null && (
          <SubmitButton variant={trip === null ? 'primary' : 'button'}>Pause</SubmitButton>
        )}
        {pause !== null && (
          <SubmitButton variant="primary" formAction="/deliveries/resume">
            Resume
          </SubmitButton>
        )}
        {trip !== null && (
          <SubmitButton variant="primary" formAction="/deliveries/try">
            Try now
          </SubmitButton>
        )}
      </div>
    </PostForm>
  )
}

function ErrorGroups({ view, kind }: DeliveriesPageProps & { kind: ErrorGroupKind }) {
  const mayDo = useMayDo()
  const heading = capitalize(kind)
  return (
    <SortableTable
      name={heading}
      columns={[
        responseColumn,
        ...countColumns[kind],
        ...timeColumns,
        ...(mayDo('retry deliveries') ? [retryColumn] : []),
      ]}
      rows={view.groups.filter((group) => group.kind === kind)}
      keyOf={({ id }) => id}
      empty={`No ${kind}.`}
    />
  )
}

/** Returns, for example, `182`, or `over 50,000` if not all leads were counted. */
const formatLimitedCount = ({ count, isAll }: LimitedCount): string =>
  `${isAll ? '' : 'over '}${formatNumber(count)}`

/** Tells screen readers which group a link is about. */
const HiddenGroupName = ({ group: { error, words } }: { group: ErrorGroup }) => (
  <span className="visually-hidden">
    {describeAttemptError(error)} {words}
  </span>
)

const responseColumn: Column<ErrorGroup> = {
  heading: 'Response',
  isUnlabeled: true,
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
  value: ({ error, words }) => `${describeAttemptError(error)} ${words}`.trim(),
}

const waitingColumn = makeCountColumn('Waiting', 'waiting', 'status=pending&status=leased')

const countColumns: Readonly<Record<ErrorGroupKind, readonly Column<ErrorGroup>[]>> = {
  errors: [waitingColumn, makeCountColumn('Failed', 'dead', 'status=dead')],
  rejections: [makeCountColumn('Rejected', 'rejected', 'status=rejected'), waitingColumn],
}

const timeColumns: readonly Column<ErrorGroup>[] = [
  makeTimeColumn('First', ({ firstAt }) => firstAt),
  makeTimeColumn('Last', ({ lastAt }) => lastAt),
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
    ({ leads }) => leads[state].count,
  )
}

const retryColumn: Column<ErrorGroup> = {
  heading: 'Action',
  value: null,
  isOneLine: true,
  // A retry helps after an outage, so the link then looks like a button. A group of rejected leads has a plain link,
  // because the distributor would most likely reject the leads again.
  cell: (group) =>
    (group.kind === 'errors' || group.leads.rejected.count > 0) && (
      <a
        className={group.kind === 'errors' ? controls.button : undefined}
        href={`/jobs/new?error=${encodeURIComponent(group.id)}&${retriedStatuses[group.kind]}`}
      >
        Retry this group <HiddenGroupName group={group} />
      </a>
    ),
}
