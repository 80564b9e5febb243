import { Hono } from 'hono'
import { NewJobPage, type NewJobProblem, RetryGroupPage } from '#console/jobs/new-job-page.tsx'
import { html } from '#console/render.ts'
import { describeGroup, isErrorGroup } from '#domain/delivery/error-group.ts'
import { defaultRate, isOperatorAction, operatorActions, rightFor } from '#domain/job/job.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import type { LeadCount } from '#server/leads/find-leads.ts'
import { maxReasonLength } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleParts } from '../console-env.ts'
import { describeFilter } from '../leads/filter-form.ts'
import {
  hasValidFilter,
  leadsAddress,
  type RequestedLeads,
  readAddressIn,
  readAddressOf,
} from '../leads/leads-address.ts'
import { readForm, reasonFault } from '../read-form.ts'

export const jobPath = (id: string): string => `/jobs/${encodeURIComponent(id)}`

interface Shown {
  readonly problem?: NewJobProblem
  readonly chosen?: string
  readonly count?: LeadCount
}

/** Routes that plan a job for the leads of a filter, or retry an error group at once. */
export function newJob({ shellOf, notice, jobs, programs, clock }: ConsoleParts) {
  const show = async (
    c: ConsoleContext,
    { address, read }: RequestedLeads,
    { problem, chosen = 'retry', count }: Shown,
  ) => {
    const actor = c.get('actor')
    const words =
      Object.keys(read.faults).length > 0 ? [] : describeFilter(address.query, programs())
    const page = (
      <NewJobPage
        shell={shellOf(c)}
        filter={[...(address.searchId ? ['A person found by search'] : []), ...words]}
        query={address.query}
        searchId={address.searchId}
        leadsAddress={leadsAddress(address)}
        count={count && `${pluralize(count.leads, 'lead')}${count.isAll ? '' : ' or more'}`}
        actions={operatorActions.filter((action) => isAllowed(actor.role, rightFor[action]))}
        chosen={isOperatorAction(chosen) ? chosen : undefined}
        problem={problem}
      />
    )
    return c.html(html(page), problem === undefined ? 200 : 422)
  }
  const refuse = (c: ConsoleContext, requested: RequestedLeads, more: Shown) => {
    authorise(c.get('actor'), 'run jobs', clock())
    return show(c, requested, more)
  }
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
    return c.html(html(page), refused === undefined ? 200 : 422)
  }

  return new Hono<ConsoleEnv>()
    .get('/jobs/new', async (c) => {
      const requested = readAddressOf(c)
      if (!hasValidFilter(requested)) return refuse(c, requested, { problem: invalidFilter })
      const { query, searchId } = requested.address
      return show(c, requested, { count: await jobs.count(c.get('actor'), { query, searchId }) })
    })
    .post('/jobs', async (c) => {
      const { query, search, action, lacks } = await readForm(c, 'query', 'search', 'action')
      const given = readAddressIn(query)
      const searchId = search === '' ? undefined : search
      const { address } = given
      const requested = { ...given, address: { ...address, searchId }, cursor: undefined }
      const refused = (problem: NewJobProblem) => refuse(c, requested, { problem, chosen: action })
      if (lacks('query') || !hasValidFilter(requested)) return refused(invalidFilter)
      if (!isOperatorAction(action)) return refused(noAction)
      const order = { action, query: address.query, searchId }
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

/** The address of the page that confirms the retry of an error group. */
export const retryGroupAddress = (group: string): string =>
  `/jobs/retry?error=${encodeURIComponent(group)}`

const groupQuery = (group: string): string => `error=${encodeURIComponent(group)}`

const invalidFilter: NewJobProblem = {
  kind: 'problem',
  heading: 'That filter isn’t valid',
  text: 'Nothing was planned. The list of leads shows which part to change.',
  isFinal: true,
}
const noAction: NewJobProblem = {
  kind: 'problem',
  heading: 'Nothing was planned',
  fields: { action: 'Choose an action.' },
}
