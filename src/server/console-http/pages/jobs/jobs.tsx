import { Hono } from 'hono'
import { JobLeadsPage } from '#console/jobs/job-leads-page.tsx'
import { JobPage, type JobPageProps } from '#console/jobs/job-page.tsx'
import { JobsPage } from '#console/jobs/jobs-page.tsx'
import { html } from '#console/render.ts'
import { MessagePage } from '#console/shell/message-page.tsx'
import { rightFor } from '#domain/job/bulk-action.ts'
import type { Job } from '#domain/job/job.ts'
import { isMemberOutcome } from '#domain/job/member-outcome.ts'
import { readRate } from '#domain/job/rate.ts'
import { isLeadId } from '#domain/lead/lead-id.ts'
import { judge } from '#domain/operator/rights.ts'
import { ListBehindError } from '#server/use-cases/leads/list/assert-list-is-whole.ts'
import { longestReason } from '#server/use-cases/operators/audit/audit.ts'
import type { ConsoleContext, ConsoleEnv } from '../../console-env.ts'
import { readForm } from '../../read-form.ts'
import type { SessionNotice } from '../../session-notice.ts'
import type { KnownValues } from '../leads/filter-form.ts'
import { leadsAddress } from '../leads/leads-address.ts'
import { filterInWords } from './filter-in-words.ts'
import type { JobsPorts } from './jobs-ports.ts'
import { behindText, newJob } from './new-job.tsx'
import { type JobChange, saidOfChange, saidOfStart } from './said-of-job.ts'

const pageSize = 50

/** Acts on many leads. */
export function jobs(ports: JobsPorts) {
  const { shellOf, notice, manageJobs, archive, programs, nameGroups, clock } = ports
  const unknown = (c: ConsoleContext) => {
    const text =
      'There is no job with this reference. A plan that nobody starts is removed after a week.'
    return c.html(html(<MessagePage shell={shellOf(c)} name="No such job" text={text} />), 404)
  }
  const show = async (
    c: ConsoleContext,
    job: Job,
    start: Partial<JobPageProps['start']> = {},
    said?: SessionNotice,
  ) => {
    const isWrong = Object.keys(start.faults ?? {}).length > 0
    const page = (
      <JobPage
        shell={shellOf(c)}
        job={job}
        filter={inWords(job, await nameGroups([job.query]))}
        leadsAddress={leadsAddress({ query: job.query })}
        now={clock()}
        start={{ reason: '', rate: String(job.rate), faults: {}, ...start }}
        asksAgain={judge(c.get('actor'), rightFor[job.action], clock()) === 'ask again'}
        said={said}
      />
    )
    return c.html(html(page), isWrong ? 422 : 200)
  }
  const inWords = (job: Job, groups: KnownValues['groups']) => [
    ...(job.isOfSearch ? ['a person who was searched for'] : []),
    ...filterInWords(job.query, { programs: programs(), groups }),
  ]
  const goBack = (c: ConsoleContext, id: string, said?: SessionNotice) => {
    if (said !== undefined) notice.leave(c, pathOf(id), said)
    return c.redirect(pathOf(id), 303)
  }
  const change = async (c: ConsoleContext, id: string, what: JobChange) => {
    const outcome = await manageJobs[what](c.get('actor'), id)
    return outcome === 'unknown' ? unknown(c) : goBack(c, id, saidOfChange[what][outcome])
  }

  return (
    new Hono<ConsoleEnv>()
      .get('/jobs', async (c) => {
        const { before } = c.req.query()
        const isPlace = before === undefined || isLeadId(before)
        const found = isPlace
          ? await manageJobs.list(c.get('actor'), { before, take: pageSize + 1 })
          : []
        const shown = found.slice(0, pageSize)
        const groups = await nameGroups(shown.map(({ query }) => query))
        const page = (
          <JobsPage
            shell={shellOf(c)}
            jobs={shown.map((job) => ({ job, filter: inWords(job, groups) }))}
            older={found.length > pageSize ? `/jobs?before=${shown.at(-1)?.id}` : undefined}
            now={clock()}
            problem={isPlace ? undefined : 'This is no place in the list. Nothing was looked for.'}
          />
        )
        return c.html(html(page), isPlace ? 200 : 400)
      })
      .route('/', newJob(ports))
      .get('/jobs/:id', async (c) => {
        const job = await manageJobs.find(c.get('actor'), c.req.param('id'))
        return job === undefined ? unknown(c) : show(c, job, {}, notice.take(c))
      })
      .get('/jobs/:id/leads', async (c) => {
        const id = c.req.param('id')
        const { outcome = '', after = '0' } = c.req.query()
        const job = await manageJobs.find(c.get('actor'), id)
        if (job === undefined || !isMemberOutcome(outcome) || !/^\d{1,9}$/.test(after)) {
          return unknown(c)
        }
        const query = { outcome, after: Number(after), take: pageSize + 1 }
        const found = await manageJobs.members(c.get('actor'), id, query)
        const shown = found.slice(0, pageSize)
        const ids = shown.map(({ leadId }) => leadId)
        const leads =
          ids.length === 0 ? [] : await archive.list({ ids, now: clock(), take: ids.length })
        const leadOf = new Map(leads.map((lead) => [lead.id, lead]))
        const page = (
          <JobLeadsPage
            shell={shellOf(c)}
            jobId={id}
            outcome={outcome}
            rows={shown.map(({ leadId, detail }) => ({
              id: leadId,
              receivedAt: leadOf.get(leadId)?.receivedAt ?? null,
              status: leadOf.get(leadId)?.status ?? null,
              detail,
            }))}
            next={
              found.length > pageSize
                ? `${pathOf(id)}/leads?outcome=${encodeURIComponent(outcome)}&after=${shown.at(-1)?.position}`
                : undefined
            }
          />
        )
        return c.html(html(page))
      })
      // Who has to give passkey or password does so before anything is typed.
      .get('/jobs/:id/start', async (c) => {
        const job = await manageJobs.beforeStarting(c.get('actor'), c.req.param('id'))
        return job === undefined ? unknown(c) : goBack(c, job.id)
      })
      .post('/jobs/:id/start', async (c) => {
        const job = await manageJobs.beforeStarting(c.get('actor'), c.req.param('id'))
        if (job === undefined) return unknown(c)
        const { reason, rate } = await readForm(c, 'reason', 'rate')
        const given = { reason: reason.trim().slice(0, longestReason), rate: readRate(rate) }
        const faults = {
          ...(given.reason === ''
            ? { reason: 'Say why, in a few words. Nothing was started.' }
            : {}),
          ...(given.rate === undefined
            ? { rate: 'Give a whole number from 1 to 1000. Nothing was started.' }
            : {}),
        }
        if (given.rate === undefined || given.reason === '') {
          return show(c, job, { reason, rate, faults })
        }
        try {
          const order = { reason: given.reason, rate: given.rate }
          const outcome = await manageJobs.start(c.get('actor'), job.id, order)
          return outcome === 'unknown' ? unknown(c) : goBack(c, job.id, saidOfStart[outcome])
        } catch (error) {
          if (!(error instanceof ListBehindError)) throw error
          const said = { kind: 'problem', heading: 'Not started', text: behindText } as const
          return show(c, job, { reason, rate }, said)
        }
      })
      .post('/jobs/:id/pause', (c) => change(c, c.req.param('id'), 'pause'))
      .post('/jobs/:id/resume', (c) => change(c, c.req.param('id'), 'resume'))
      .post('/jobs/:id/cancel', (c) => change(c, c.req.param('id'), 'cancel'))
  )
}

const pathOf = (id: string): string => `/jobs/${encodeURIComponent(id)}`
