import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import {
  formatLeadsQuery,
  hasValidFilter,
  makeLeadsUrl,
  parseLeadsQuery,
  parsePostedFilter,
} from '#console/leads/leads-url.ts'
import { describeFilter } from '#console/leads/read-filter.ts'
import { readForm } from '#console/requests/read-form.ts'
import { showError } from '#console/requests/render-pages.tsx'
import {
  type ErrorGroupKind,
  type LimitedCount,
  retriedStatuses,
} from '#domain/delivery/deliveries-view.ts'
import { describeErrorGroup, isErrorGroupId } from '#domain/delivery/error-group.ts'
import { defaultLeadsPerSecond, isBulkAction } from '#domain/job/job.ts'
import { describeFoundLeads, describePeople } from '#domain/lead/person-search.ts'
import type { Message } from '#domain/operator/messages.ts'
import { findReasonError, makeFieldMessage, makeSuccessMessage } from '#domain/operator/messages.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { capitalize } from '#domain/text/capitalize.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import { maxReasonLength } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import { NewJobPage, RetryGroupPage, type RetryGroupPageProps } from './new-job-page.tsx'

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
      const requested = parseLeadsQuery(new URL(c.req.url).search)
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
      const { query, searchId } = parsePostedFilter(form).address
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
