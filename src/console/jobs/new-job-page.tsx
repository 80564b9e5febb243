import { Hono } from 'hono'
import type { ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import {
  describeFilter,
  hasValidFilter,
  type LeadsRequest,
  makeLeadsUrl,
  parseLeadsQuery,
  parsePostedFilter,
} from '#console/leads/read-filter.ts'
import { readForm } from '#console/requests/read-form.ts'
import { showError } from '#console/requests/render-pages.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { PostForm, RadioGroup, SubmitButton } from '#console/shell/forms.tsx'
import type { LimitedCount } from '#domain/delivery/deliveries-view.ts'
import { actionLabels, isBulkAction, recentLeadsMs } from '#domain/job/job.ts'
import { pluralize } from '#domain/text/formats.ts'
import { formatDuration } from '#domain/text/time-formats.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import { authorize } from '#server/operators/authorize.ts'
import styles from './jobs.module.css'

/** Formats the number of leads, as in `182 leads`, or `10,000 leads or more` if not all were counted. */
const formatCount = ({ count, isAll }: LimitedCount): string =>
  `${pluralize(count, 'lead')}${isAll ? '' : ' or more'}`

export const makeJobPath = (id: string): string => `/jobs/${encodeURIComponent(id)}`

/**
 * Returns the filter of a request.
 * @throws InvalidFilterError for a search, because without its search the filter would match other leads
 */
function queryOf(requested: LeadsRequest): string {
  const { query, searchId } = requested.address
  if (!hasValidFilter(requested) || searchId !== undefined) throw new InvalidFilterError()
  return query
}

/** Routes that plan a job for all leads that match a filter. */
export function newJobRoutes(services: ConsoleServices) {
  const { jobs, programs, clock } = services
  const { zone } = services.store
  return new Hono<ConsoleEnv>()
    .get('/jobs/new', async (c) => {
      const actor = c.get('actor')
      authorize(actor, 'run jobs', clock())
      const query = queryOf(parseLeadsQuery(new URL(c.req.url).search, zone))
      const offer = await jobs.offer(actor, query)
      return c.render(
        <NewJobPage {...offer} filter={describeFilter(query, programs())} query={query} />,
      )
    })
    .post('/jobs', async (c) => {
      authorize(c.get('actor'), 'run jobs', clock())
      const form = await readForm(c, 'query', 'action')
      const query = queryOf(parsePostedFilter(form, zone))
      const { action } = form
      if (!isBulkAction(action)) {
        return showError(c, 'Nothing was planned', 'Go back and choose an action.', 422)
      }
      return c.redirect(makeJobPath(await jobs.plan(c.get('actor'), { action, query })), 303)
    })
}

interface NewJobPageProps extends Awaited<ReturnType<Jobs['offer']>> {
  /** The filter's conditions, each in words. An empty filter matches every lead. */
  filter: readonly string[]
  /** The filter, as a query string of `/leads`. */
  query: string
}

/** Lets the operator choose an action for the leads of a filter. The form only plans a job; no lead changes yet. */
function NewJobPage({ filter, query, actions, leads, oldestAt, now }: NewJobPageProps) {
  const oldestMs = oldestAt === undefined ? 0 : now - oldestAt
  const recent = new URLSearchParams(query)
  recent.set('from', new Date(now - recentLeadsMs).toISOString())
  return (
    <ConsolePage name="New job">
      <p className={styles.scope}>
        <span>
          {filter.length === 0 ? 'Every lead' : filter.join(' · ')}
          <span className={styles.quiet}>
            {' '}
            ({formatCount(leads)}
            {oldestAt !== undefined && `, the oldest received ${formatDuration(oldestMs)} ago`})
          </span>
        </span>
      </p>
      {oldestMs > recentLeadsMs && (
        <p>
          A person who enquired long ago may no longer expect a call.{' '}
          <a href={`/jobs/new?${recent}`}>Only leads of the last 30 days</a>
        </p>
      )}
      {actions.length === 0 ? (
        <p>
          No action can change these leads. <a href={makeLeadsUrl({ query })}>Back to the leads</a>
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
            <a href={makeLeadsUrl({ query })}>Back to the leads</a>
          </div>
        </PostForm>
      )}
    </ConsolePage>
  )
}
