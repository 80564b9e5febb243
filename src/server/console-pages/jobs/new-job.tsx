import { Hono } from 'hono'
import { NewJobPage, RetryGroupPage } from '#console/jobs/new-job-page.tsx'
import { renderHtml } from '#console/render-html.ts'
import { type ErrorGroupKind, retriedStatuses } from '#domain/delivery/deliveries-view.ts'
import { describeErrorGroup, isErrorGroupId } from '#domain/delivery/error-group.ts'
import {
  bulkActions,
  defaultLeadsPerSecond,
  isBulkAction,
  permissionByAction,
} from '#domain/job/job.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import { maxReasonLength } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '../console-services.ts'
import { describeFilter } from '../leads/filter-form.ts'
import {
  formatLeadsQuery,
  hasValidFilter,
  makeLeadsUrl,
  parseLeadsUrl,
  parsePostedFilter,
} from '../leads/leads-url.ts'
import { findReasonError, makeFieldMessage, makeSuccessMessage } from '../messages.ts'
import { readForm } from '../read-form.ts'

export const makeJobPath = (id: string): string => `/jobs/${encodeURIComponent(id)}`

const parseGroupKind = (text: string | undefined): ErrorGroupKind =>
  text === 'rejections' ? 'rejections' : 'errors'

/** Makes the query string of `/leads` for the leads of a group that a retry acts on. */
const makeGroupQuery = (group: string, kind: ErrorGroupKind): string =>
  `error=${encodeURIComponent(group)}${retriedStatuses[kind].map((status) => `&status=${status}`).join('')}`

/** Routes that plan a job for all leads that match a filter, or start a retry of an error group at once. */
export function newJobRoutes(services: ConsoleServices) {
  const { shellOf, showMessage, flash, jobs, programs, clock } = services
  const showGroup = async (
    c: ConsoleContext,
    group: string,
    kind: ErrorGroupKind,
    reason = '',
    reasonError?: string,
  ) => {
    authorize(c.get('actor'), 'run jobs', clock())
    authorize(c.get('actor'), 'retry deliveries', clock())
    if (!isErrorGroupId(group)) return c.redirect('/deliveries', 303)
    const page = (
      <RetryGroupPage
        shell={shellOf(c)}
        group={group}
        kind={kind}
        leadsQuery={makeGroupQuery(group, kind)}
        name={describeErrorGroup(group)}
        reason={reason}
        problem={
          reasonError === undefined
            ? undefined
            : makeFieldMessage({ reason: reasonError }, 'Nothing was retried')
        }
      />
    )
    return c.html(renderHtml(page), reasonError === undefined ? 200 : 422)
  }

  return new Hono<ConsoleEnv>()
    .get('/jobs/new', async (c) => {
      const actor = c.get('actor')
      authorize(actor, 'run jobs', clock())
      const requested = parseLeadsUrl(c)
      if (!hasValidFilter(requested)) throw new InvalidFilterError()
      const { query, searchId } = requested.address
      const { count, isAll } = await jobs.count(actor, { query, searchId })
      const page = (
        <NewJobPage
          shell={shellOf(c)}
          filter={[
            ...(searchId ? ['One person’s leads (found by search)'] : []),
            ...describeFilter(query, programs()),
          ]}
          query={formatLeadsQuery(requested.address)}
          leadsAddress={makeLeadsUrl(requested.address)}
          count={`${pluralize(count, 'lead')}${isAll ? '' : ' or more'}`}
          actions={bulkActions.filter((action) =>
            isAllowed(actor.role, permissionByAction[action]),
          )}
        />
      )
      return c.html(renderHtml(page))
    })
    .post('/jobs', async (c) => {
      authorize(c.get('actor'), 'run jobs', clock())
      const form = await readForm(c, 'query', 'action')
      const { query, searchId } = parsePostedFilter(form).address
      const { action } = form
      if (!isBulkAction(action)) {
        return showMessage(c, 'Nothing was planned', 'Go back and choose an action.', 422)
      }
      const order = { action, query, searchId }
      return c.redirect(makeJobPath(await jobs.plan(c.get('actor'), order)), 303)
    })
    .get('/jobs/retry', (c) =>
      showGroup(c, c.req.query('error') ?? '', parseGroupKind(c.req.query('of'))),
    )
    .post('/jobs/retry', async (c) => {
      const { error: group, of, reason } = await readForm(c, 'error', 'of', 'reason')
      const kind = parseGroupKind(of)
      const reasonError = findReasonError(reason, maxReasonLength)
      if (reasonError !== undefined || !isErrorGroupId(group)) {
        return showGroup(c, group, kind, reason, reasonError)
      }
      const id = await jobs.run(
        c.get('actor'),
        { action: 'retry', query: makeGroupQuery(group, kind) },
        { reason: reason.trim() || 'Retried from Deliveries', rate: defaultLeadsPerSecond },
      )
      return flash.redirect(c, makeJobPath(id), makeSuccessMessage('Retry started'))
    })
}
