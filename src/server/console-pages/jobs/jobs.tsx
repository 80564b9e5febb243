import { Hono } from 'hono'
import { JobPage, type JobPageProps } from '#console/jobs/job-page.tsx'
import { JobsPage } from '#console/jobs/jobs-page.tsx'
import { html } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { rightFor } from '#domain/job/bulk-action.ts'
import type { Job } from '#domain/job/job.ts'
import { isLeadId } from '#domain/lead/lead-id.ts'
import { judge } from '#domain/operator/rights.ts'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'
import type { KnownValues } from '../leads/filter-form.ts'
import { filterInWords } from '../leads/filter-in-words.ts'
import { leadsAddress } from '../leads/leads-address.ts'
import { readForm } from '../read-form.ts'
import type { SessionNotice } from '../session-notice.ts'
import { jobLeads } from './job-leads.tsx'
import { jobPath } from './job-path.ts'
import type { JobsPorts } from './jobs-ports.ts'
import { newJob } from './new-job.tsx'
import { readStart } from './read-start.ts'
import { type JobChange, saidOfChange, saidOfStart } from './said-of-job.ts'
import { unknownJob } from './unknown-job.tsx'

const pageSize = 50

const notStarted = (fields: Message['fields']): Message => ({
  kind: 'problem',
  heading: 'The job was not started',
  fields,
})

const noPlace: Message = {
  kind: 'problem',
  heading: 'This address points to no place in the list',
  text: 'Nothing was listed.',
}

/** Acts on many leads. */
export function jobs(ports: JobsPorts) {
  const { shellOf, notice, manageJobs, programs, nameGroups, clock } = ports
  const unknown = unknownJob(shellOf)
  const show = async (
    c: ConsoleContext,
    job: Job,
    start: Partial<JobPageProps['start']> = {},
    said?: Message,
  ) => {
    const page = (
      <JobPage
        shell={shellOf(c)}
        job={job}
        filter={inWords(job, await nameGroups(c.get('actor'), [job.query]))}
        leadsAddress={leadsAddress({ query: job.query })}
        now={clock()}
        start={{ reason: '', rate: String(job.rate), ...start }}
        needsStepUp={judge(c.get('actor'), rightFor[job.action], clock()) === 'step up'}
        said={said}
      />
    )
    return c.html(html(page), said?.fields === undefined ? 200 : 422)
  }
  const inWords = (job: Job, groups: KnownValues['groups']) => [
    ...(job.isOfSearch ? ['a person who was searched for'] : []),
    ...filterInWords(job.query, { programs: programs(), groups }),
  ]
  const goBack = (c: ConsoleContext, id: string, said?: SessionNotice) => {
    if (said !== undefined) notice.leave(c, jobPath(id), said)
    return c.redirect(jobPath(id), 303)
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
        const groups = await nameGroups(
          c.get('actor'),
          shown.map(({ query }) => query),
        )
        const page = (
          <JobsPage
            shell={shellOf(c)}
            jobs={shown.map((job) => ({ job, filter: inWords(job, groups) }))}
            older={found.length > pageSize ? `/jobs?before=${shown.at(-1)?.id}` : undefined}
            now={clock()}
            problem={isPlace ? undefined : noPlace}
          />
        )
        return c.html(html(page), isPlace ? 200 : 400)
      })
      .route('/', newJob(ports))
      .route('/', jobLeads(ports))
      .get('/jobs/:id', async (c) => {
        const job = await manageJobs.find(c.get('actor'), c.req.param('id'))
        return job === undefined ? unknown(c) : show(c, job, {}, notice.take(c))
      })
      // An operator who has to confirm first does so before they type anything.
      .get('/jobs/:id/start', async (c) => {
        const job = await manageJobs.beforeStarting(c.get('actor'), c.req.param('id'))
        return job === undefined ? unknown(c) : goBack(c, job.id)
      })
      .post('/jobs/:id/start', async (c) => {
        const job = await manageJobs.beforeStarting(c.get('actor'), c.req.param('id'))
        if (job === undefined) return unknown(c)
        const form = await readForm(c, 'reason', 'rate')
        const { reason, rate } = form
        const { order, faults } = readStart(form)
        if (order === undefined) return show(c, job, { reason, rate }, notStarted(faults))
        const outcome = await manageJobs.start(c.get('actor'), job.id, order)
        return outcome === 'unknown' ? unknown(c) : goBack(c, job.id, saidOfStart[outcome])
      })
      .post('/jobs/:id/pause', (c) => change(c, c.req.param('id'), 'pause'))
      .post('/jobs/:id/resume', (c) => change(c, c.req.param('id'), 'resume'))
      .post('/jobs/:id/cancel', (c) => change(c, c.req.param('id'), 'cancel'))
  )
}
