import { Hono } from 'hono'
import { NewJobPage, RetryGroupPage } from '#console/jobs/new-job-page.tsx'
import { renderHtml } from '#console/render.ts'
import { describeGroup, isErrorGroup } from '#domain/delivery/error-group.ts'
import { defaultRate, isOperatorAction, operatorActions, rightFor } from '#domain/job/job.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import { maxReasonLength } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleParts } from '../console-env.ts'
import { describeFilter } from '../leads/filter-form.ts'
import { hasValidFilter, leadsAddress, readFilterIn, readLeadsUrl } from '../leads/leads-address.ts'
import { readForm, reasonFault } from '../read-form.ts'

export const jobPath = (id: string): string => `/jobs/${encodeURIComponent(id)}`

/** Routes that plan a job for the leads of a filter, or retry an error group at once. */
export function newJob({ shellOf, showMessage, notice, jobs, programs, clock }: ConsoleParts) {
  const showGroup = async (
    c: ConsoleContext,
    group: string,
    refused?: { readonly reason: string; readonly fault: string },
  ) => {
    authorise(c.get('actor'), 'run jobs', clock())
    authorise(c.get('actor'), 'retry deliveries', clock())
    if (!isErrorGroup(group)) return c.redirect('/deliveries', 303)
    const page = (
      <RetryGroupPage
        shell={shellOf(c)}
        group={group}
        name={describeGroup(group)}
        reason={refused?.reason ?? ''}
        problem={
          refused && {
            kind: 'problem',
            heading: 'Nothing was retried',
            fields: { reason: refused.fault },
          }
        }
      />
    )
    return c.html(renderHtml(page), refused === undefined ? 200 : 422)
  }

  return new Hono<ConsoleEnv>()
    .get('/jobs/new', async (c) => {
      const actor = c.get('actor')
      authorise(actor, 'run jobs', clock())
      const requested = readLeadsUrl(c)
      if (!hasValidFilter(requested)) throw new InvalidFilterError()
      const { query, searchId } = requested.address
      const { leads, isAll } = await jobs.count(actor, { query, searchId })
      const page = (
        <NewJobPage
          shell={shellOf(c)}
          filter={[
            ...(searchId ? ['A person found by search'] : []),
            ...describeFilter(query, programs()),
          ]}
          query={query}
          searchId={searchId}
          leadsAddress={leadsAddress(requested.address)}
          count={`${pluralize(leads, 'lead')}${isAll ? '' : ' or more'}`}
          actions={operatorActions.filter((action) => isAllowed(actor.role, rightFor[action]))}
        />
      )
      return c.html(renderHtml(page))
    })
    .post('/jobs', async (c) => {
      authorise(c.get('actor'), 'run jobs', clock())
      const form = await readForm(c, 'query', 'search', 'action')
      const { query } = readFilterIn(form).address
      const { action } = form
      if (!isOperatorAction(action)) {
        return showMessage(c, 'Nothing was planned', 'Go back and choose an action.', 422)
      }
      const order = { action, query, searchId: form.search || undefined }
      return c.redirect(jobPath(await jobs.plan(c.get('actor'), order)), 303)
    })
    .get('/jobs/retry', (c) => showGroup(c, c.req.query('error') ?? ''))
    .post('/jobs/retry', async (c) => {
      const { error: group, reason } = await readForm(c, 'error', 'reason')
      const fault = reasonFault(reason, maxReasonLength)
      if (fault !== undefined || !isErrorGroup(group)) {
        return showGroup(c, group, fault === undefined ? undefined : { reason, fault })
      }
      const id = await jobs.run(
        c.get('actor'),
        { action: 'retry', query: groupQuery(group) },
        { reason: reason.trim() || 'Retried from Deliveries', rate: defaultRate },
      )
      return notice.redirect(c, jobPath(id), { kind: 'well', heading: 'Retry started' })
    })
}

const groupQuery = (group: string): string => `error=${encodeURIComponent(group)}`
