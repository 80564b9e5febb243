import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import {
  describeFilter,
  formatLeadsQuery,
  hasValidFilter,
  makeLeadsUrl,
  parseLeadsQuery,
  parsePostedFilter,
} from '#console/leads/read-filter.ts'
import { readForm } from '#console/requests/read-form.ts'
import { showError } from '#console/requests/render-pages.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { PostForm, RadioGroup, ReasonField, SubmitButton } from '#console/shell/forms.tsx'
import {
  type ErrorGroupKind,
  type LimitedCount,
  retriedStatuses,
} from '#domain/delivery/deliveries-view.ts'
import { describeErrorGroup, isErrorGroupId } from '#domain/delivery/error-group.ts'
import {
  actionLabels,
  type BulkAction,
  defaultLeadsPerSecond,
  isBulkAction,
} from '#domain/job/job.ts'
import { describeFoundLeads, describePeople } from '#domain/lead/person-search.ts'
import {
  findReasonError,
  type Message,
  makeFieldMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { capitalize, pluralize } from '#domain/text/formats.ts'
import { formatDuration } from '#domain/text/time-formats.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import { maxReasonLength } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import styles from './jobs.module.css'

/** Formats the number of leads, as in `182 leads`, or `10,000 leads or more` if not all were counted. */
const formatCount = ({ count, isAll }: LimitedCount): string =>
  `${pluralize(count, 'lead')}${isAll ? '' : ' or more'}`

export const makeJobPath = (id: string): string => `/jobs/${encodeURIComponent(id)}`

const parseGroupKind = (text: string | undefined): ErrorGroupKind =>
  text === 'rejections' ? 'rejections' : 'errors'

/** Makes the query string of `/leads` for the leads of a group that a retry acts on. */
const makeGroupQuery = (group: string, kind: ErrorGroupKind): string =>
  `error=${encodeURIComponent(group)}${retriedStatuses[kind].map((status) => `&status=${status}`).join('')}`

/** Routes that plan a job for all leads that match a filter, or start a retry of an error group at once. */
export function newJobRoutes(services: ConsoleServices) {
  const { flash, jobs, programs, clock } = services
  const { zone } = services.store
  const authorizeRetry = (c: ConsoleContext) => {
    authorize(c.get('actor'), 'run jobs', clock())
    authorize(c.get('actor'), 'retry deliveries', clock())
  }
  const showGroup = async (
    c: ConsoleContext,
    group: string,
    kind: ErrorGroupKind,
    typed: RetryGroupPageProps['typed'] = { reason: '', age: '' },
    problem?: Message,
  ) => {
    const { leads, recent, oldestAt, since, now } = await jobs.countGroup(
      c.get('actor'),
      group,
      kind,
    )
    const page = (
      <RetryGroupPage
        group={group}
        kind={kind}
        leadsQuery={makeGroupQuery(group, kind)}
        name={describeErrorGroup(group)}
        count={formatCount(leads)}
        oldestMs={oldestAt === undefined ? undefined : now - oldestAt}
        recentCount={oldestAt !== undefined && oldestAt < since ? formatCount(recent) : undefined}
        typed={typed}
      />
    )
    return c.render(page, problem)
  }

  return new Hono<ConsoleEnv>()
    .get('/jobs/new', async (c) => {
      const actor = c.get('actor')
      authorize(actor, 'run jobs', clock())
      const requested = parseLeadsQuery(new URL(c.req.url).search, zone)
      if (!hasValidFilter(requested)) throw new InvalidFilterError()
      const { query, searchId } = requested.address
      const { actions, leads, people, searchTerm } = await jobs.offer(actor, { query, searchId })
      const isOfSeveral = people !== undefined && people.count > 1
      const page = (
        <NewJobPage
          filter={[
            ...(searchId ? [capitalize(describeFoundLeads(searchTerm))] : []),
            ...describeFilter(query, programs()),
          ]}
          query={formatLeadsQuery(requested.address)}
          leadsAddress={makeLeadsUrl(requested.address)}
          count={[formatCount(leads), people && describePeople(people)]
            .filter(Boolean)
            .join(' of ')}
          actions={actions.filter((action) => action !== 'erase' || !isOfSeveral)}
          isErasureRefused={isOfSeveral && isAllowed(actor.role, 'erase leads')}
        />
      )
      return c.render(page)
    })
    .post('/jobs', async (c) => {
      authorize(c.get('actor'), 'run jobs', clock())
      const form = await readForm(c, 'query', 'action')
      const { query, searchId } = parsePostedFilter(form, zone).address
      const { action } = form
      if (!isBulkAction(action)) {
        return showError(c, 'Nothing was planned', 'Go back and choose an action.', 422)
      }
      const order = { action, query, searchId }
      return c.redirect(makeJobPath(await jobs.plan(c.get('actor'), order)), 303)
    })
    .get('/jobs/retry', async (c) => {
      authorizeRetry(c)
      const group = c.req.query('error') ?? ''
      const kind = parseGroupKind(c.req.query('of'))
      return isErrorGroupId(group) ? showGroup(c, group, kind) : c.redirect('/deliveries', 303)
    })
    .post('/jobs/retry', async (c) => {
      const { error: group, of, reason, age } = await readForm(c, 'error', 'of', 'reason', 'age')
      authorizeRetry(c)
      if (!isErrorGroupId(group)) return c.redirect('/deliveries', 303)
      const kind = parseGroupKind(of)
      const { oldestAt, since } = await jobs.countGroup(c.get('actor'), group, kind)
      const hasOld = oldestAt !== undefined && oldestAt < since
      const isChosen = age === 'all' || age === 'recent' || !hasOld
      const problem = makeFieldMessage(
        {
          age: !isChosen && 'Some leads are older than 30 days. Choose which leads to retry.',
          reason: findReasonError(reason, maxReasonLength),
        },
        'Nothing was retried',
      )
      if (Object.keys(problem.fields ?? {}).length > 0) {
        return showGroup(c, group, kind, { reason, age }, problem)
      }
      const from = age === 'recent' ? `&from=${new Date(since).toISOString()}` : ''
      const id = await jobs.run(
        c.get('actor'),
        { action: 'retry', query: `${makeGroupQuery(group, kind)}${from}` },
        { reason: reason.trim() || 'Retried from Deliveries', rate: defaultLeadsPerSecond },
      )
      return flash.redirect(c, makeJobPath(id), makeSuccessMessage('Retry started'))
    })
}

interface NewJobPageProps {
  /** The filter's conditions, each in words. An empty filter matches every lead. */
  filter: readonly string[]
  /** The filter and the search, as a query string of `/leads`. */
  query: string
  leadsAddress: string
  /** The number of leads, as in `182 leads`, and of the people whom a search concerns. */
  count: string
  /** The actions that the operator may choose and that can change at least one of the leads. */
  actions: readonly BulkAction[]
  /** Whether the operator may erase leads, but the search concerns several people. */
  isErasureRefused: boolean
}

/** Lets the operator choose an action for the leads of a filter. The form only plans a job; no lead changes yet. */
function NewJobPage(props: NewJobPageProps) {
  const { filter, query, leadsAddress, count, actions, isErasureRefused } = props
  return (
    <ConsolePage name="New job">
      <p className={styles.scope}>
        <span>
          {filter.length === 0 ? 'Every lead' : filter.join(' · ')}
          <span className={styles.quiet}> ({count})</span>
        </span>
      </p>
      {isErasureRefused && (
        <p>A search can erase the leads of one person only. Open one lead and erase that person.</p>
      )}
      {actions.length === 0 ? (
        <p>
          No {isErasureRefused && 'other '}action can change these leads.{' '}
          <a href={leadsAddress}>Back to the leads</a>
        </p>
      ) : (
        <PostForm className={styles.act} action="/jobs" aria-label="New job" fields={{ query }}>
          <RadioGroup
            legend="Action"
            name="action"
            choices={actions.map((action) => ({ value: action, ...actionLabels[action] }))}
            chosen={actions[0]}
          />
          <p className={styles.quiet}>
            The plan counts the expected results. Nothing changes until you start the job.
          </p>
          <div className={styles.buttons}>
            <SubmitButton variant="primary">Plan</SubmitButton>
            <a href={leadsAddress}>Back to the leads</a>
          </div>
        </PostForm>
      )}
    </ConsolePage>
  )
}

interface RetryGroupPageProps {
  group: string
  kind: ErrorGroupKind
  /** The query string of `/leads` for the leads that the job retries. */
  leadsQuery: string
  name: string
  /** The number of leads in the group, as in `182 leads`. */
  count: string
  /** The age of the oldest lead, in milliseconds; undefined if the group has no leads. */
  oldestMs: number | undefined
  /** The number of leads that are at most 30 days old; undefined if no lead is older. */
  recentCount: string | undefined
  /** The values that the operator typed, if the server refused the form. */
  typed: { readonly reason: string; readonly age: string }
}

/** Asks for confirmation before a job retries an error group's leads. The button plans the job and starts it at once. */
const RetryGroupPage = (props: RetryGroupPageProps) => {
  const { kind, leadsQuery, name, count, oldestMs } = props
  return (
    <ConsolePage name="Retry this group">
      <p className={styles.scope}>
        <span>
          {kind === 'errors'
            ? 'Every waiting or failed lead whose last attempt failed with '
            : 'Every rejected lead whose last attempt ended with '}
          <b>{name}</b>
          <span className={styles.quiet}>
            {' '}
            ({count}
            {oldestMs !== undefined && `, the oldest received ${formatDuration(oldestMs)} ago`})
          </span>
        </span>
        <a href={`/leads?${leadsQuery}`}>View leads</a>
      </p>
      {oldestMs === undefined ? (
        <p>
          Nothing is left to retry. <a href="/deliveries">Back to deliveries</a>
        </p>
      ) : (
        <RetryGroupForm {...props} />
      )}
    </ConsolePage>
  )
}

function RetryGroupForm(props: RetryGroupPageProps) {
  const { group, kind, count, recentCount, typed } = props
  const warning = 'A person who enquired long ago may not expect a call any more.'
  return (
    <PostForm
      className={styles.act}
      action="/jobs/retry"
      aria-label="Retry this group"
      fields={{ error: group, of: kind }}
    >
      <p>
        {actionLabels.retry.effect} The job skips leads that were delivered, erased or replaced by a
        newer enquiry.
      </p>
      {recentCount !== undefined && (
        <RadioGroup
          legend="Which leads"
          name="age"
          choices={[
            {
              value: 'recent',
              name: `Only leads of the last 30 days: ${recentCount}`,
              effect: 'Older leads stay as they are.',
            },
            { value: 'all', name: `All leads of the group: ${count}`, effect: warning },
          ]}
          chosen={typed.age}
        />
      )}
      <ReasonField value={typed.reason} />
      <div className={styles.buttons}>
        <SubmitButton variant="primary">
          {recentCount === undefined ? `Retry ${count}` : 'Retry the chosen leads'}
        </SubmitButton>
        <a href="/deliveries">Back to deliveries</a>
      </div>
    </PostForm>
  )
}
