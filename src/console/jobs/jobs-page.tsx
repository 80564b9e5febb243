import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { describeFilter, makeLeadsUrl } from '#console/leads/read-filter.ts'
import { readForm } from '#console/requests/read-form.ts'
import { showError } from '#console/requests/render-pages.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, NextPageLink } from '#console/shell/data-table.tsx'
import {
  LeadLink,
  LeadStatusBadge,
  LeadTimeLink,
  ShortReference,
} from '#console/shell/lead-link.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import {
  actionLabels,
  findJobProgress,
  type JobState,
  maxLeadsPerSecond,
  parseLeadsPerSecond,
  toJobState,
} from '#domain/job/job.ts'
import {
  describeOutcomeCounts,
  isJobLeadOutcome,
  type JobLeadOutcome,
  outcomeDefinitions,
} from '#domain/job/job-lead-outcome.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import { toVisibleStatus, type VisibleStatus } from '#domain/lead/lead-status.ts'
import { describeFoundLeads } from '#domain/lead/person-search.ts'
import {
  findRequiredReasonError,
  type Message,
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { pluralize } from '#domain/text/formats.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { maxReasonLength } from '#server/operators/audit.ts'
import { JobPage, type JobPageProps } from './job-page.tsx'
import styles from './jobs.module.css'
import { makeJobPath, newJobRoutes } from './new-job-page.tsx'

const pageSize = 50

export function jobRoutes(services: ConsoleServices) {
  const { store, flash, jobs, programs, clock } = services
  const showUnknown = (c: ConsoleContext) => {
    const text = 'No job has this id. Check the URL, or find the job on the page Jobs.'
    return showError(c, 'Job not found', text, 404)
  }
  const scopeOf = (job: Job): readonly string[] => {
    const filter = describeFilter(job.query, programs())
    if (job.isOfSearch) return [describeFoundLeads(undefined), ...filter]
    return filter.length === 0 ? ['every lead'] : filter
  }
  const show = async (
    c: ConsoleContext,
    job: Job,
    start: Partial<JobPageProps['start']> = {},
    message?: Message,
  ) => {
    const page = (
      <JobPage
        job={job}
        scope={scopeOf(job)}
        leadsAddress={job.isOfSearch ? undefined : makeLeadsUrl({ query: job.query })}
        start={{ reason: start.reason ?? '', rate: start.rate ?? String(job.rate) }}
      />
    )
    return c.render(page, message)
  }
  const change = async (c: ConsoleContext, id: string, act: keyof typeof changeHeadings) => {
    const outcome = await jobs[act](c.get('actor'), id)
    if (outcome === 'unknown') return showUnknown(c)
    const message =
      outcome === 'changed' ? makeSuccessMessage(changeHeadings[act]) : unchangedMessage
    return flash.redirect(c, makeJobPath(id), message)
  }

  return new Hono<ConsoleEnv>()
    .get('/jobs', async (c) => {
      const { before } = c.req.query()
      if (before !== undefined && !isLeadId(before)) return c.redirect('/jobs', 303)
      const found = await jobs.list(c.get('actor'), { before, take: pageSize + 1 })
      const shown = found.slice(0, pageSize)
      const page = (
        <JobsPage
          jobs={shown.map((job) => ({ job, scope: scopeOf(job) }))}
          older={found.length > pageSize ? `/jobs?before=${shown.at(-1)?.id}` : undefined}
        />
      )
      return c.render(page)
    })
    .route('/', newJobRoutes(services))
    .get('/jobs/:id', async (c) => {
      const job = await jobs.find(c.get('actor'), c.req.param('id'))
      return job === undefined ? showUnknown(c) : show(c, job)
    })
    .post('/jobs/:id/start', async (c) => {
      const job = await jobs.findToStart(c.get('actor'), c.req.param('id'))
      if (job === undefined) return showUnknown(c)
      const typed = await readForm(c, 'reason', 'rate')
      const reason = typed.reason.trim()
      const rate = parseLeadsPerSecond(typed.rate)
      const reasonError = findRequiredReasonError(reason, maxReasonLength)
      if (reasonError !== undefined || rate === undefined) {
        const rateError = `Enter a whole number from 1 to ${maxLeadsPerSecond}.`
        const errors = { reason: reasonError, rate: rate === undefined && rateError }
        return show(c, job, typed, makeFieldMessage(errors, 'The job was not started'))
      }
      const outcome = await jobs.start(c.get('actor'), job.id, { reason, rate })
      if (outcome === 'unknown') return showUnknown(c)
      const message = outcome === 'started' ? makeSuccessMessage('Job started') : unchangedMessage
      return flash.redirect(c, makeJobPath(job.id), message)
    })
    .post('/jobs/:id/pause', (c) => change(c, c.req.param('id'), 'pause'))
    .post('/jobs/:id/resume', (c) => change(c, c.req.param('id'), 'resume'))
    .post('/jobs/:id/cancel', (c) => change(c, c.req.param('id'), 'cancel'))
    .get('/jobs/:id/leads', async (c) => {
      const id = c.req.param('id')
      const actor = c.get('actor')
      const { outcome = '', after = '0' } = c.req.query()
      const job = await jobs.find(actor, id)
      if (job === undefined) return showUnknown(c)
      if (!isJobLeadOutcome(outcome) || !/^\d{1,9}$/.test(after)) {
        return c.redirect(makeJobPath(id))
      }
      const query = { outcome, after: Number(after), take: pageSize + 1 }
      const found = await jobs.members(actor, id, query)
      const shown = found.slice(0, pageSize)
      const ids = shown.map(({ leadId }) => leadId)
      const leads = await store.forConsole.leadReader.read(ids, clock())
      const recordsById = new Map(leads.map((record) => [record.lead.id, record]))
      const mayReveal = isAllowed(actor.role, 'reveal a lead')
      const rows = shown.map(({ leadId, detail }) => {
        const record = recordsById.get(leadId)
        return {
          id: leadId,
          receivedAt: record?.lead.receivedAt ?? null,
          status: record ? toVisibleStatus(record.status, mayReveal) : null,
          // Viewers see the code of a failure, but not which lead replaces another.
          detail: mayReveal || outcome === 'failed' ? detail : null,
        }
      })
      const nextQuery = `outcome=${encodeURIComponent(outcome)}&after=${shown.at(-1)?.position}`
      const next = found.length > pageSize ? `${makeJobPath(id)}/leads?${nextQuery}` : undefined
      return c.render(<JobLeadsPage jobId={id} outcome={outcome} rows={rows} next={next} />)
    })
}

const changeHeadings = { pause: 'Job paused', resume: 'Job resumed', cancel: 'Job canceled' }

const unchangedMessage = makeProblemMessage('The job’s status has changed', 'Nothing was changed.')

/** A job with the conditions that select its leads, each in words. */
type JobRow = { readonly job: Job; readonly scope: readonly string[] }

interface JobsPageProps {
  jobs: readonly JobRow[]
  /** The URL of the next page; undefined on the last page. */
  older: string | undefined
}

const JobsPage = ({ jobs, older }: JobsPageProps) => (
  <ConsolePage name="Jobs" isLive>
    <div data-live-rows="">
      <DataTable
        name="Jobs"
        columns={columns}
        rows={jobs}
        keyOf={({ job }) => job.id}
        empty={
          <>
            <b>No jobs yet.</b> A job retries, releases or erases many leads at once. To plan a job,
            filter the leads and select <b>Act on all…</b> above the list.
          </>
        }
        next={{ href: '/leads', label: 'Go to Leads' }}
      />
    </div>
    <NextPageLink href={older} text="Older" />
  </ConsolePage>
)

const columns: readonly Column<JobRow>[] = [
  {
    heading: 'Planned',
    cell: ({ job }) => (
      <a href={`/jobs/${job.id}`}>
        <Timestamp at={job.plannedAt} />
      </a>
    ),
  },
  { heading: 'Action', isOneLine: true, cell: ({ job }) => actionLabels[job.action].name },
  { heading: 'Leads', isWide: true, cell: ({ scope }) => scope.join(' · ') },
  { heading: 'Status', cell: ({ job }) => <JobStateBadge state={toJobState(job)} /> },
  { heading: 'Result', isOneLine: true, cell: ({ job }) => describeJobResults(job) },
  { heading: 'Operator', cell: ({ job }) => job.who },
  { heading: 'Reason', isWide: true, cell: ({ job }) => job.reason },
]

const JobStateBadge = ({ state }: { state: JobState }) => (
  <span className={styles.state} data-state={state}>
    {state === 'gathering' ? 'starting' : state}
  </span>
)

function describeJobResults(job: Job): string {
  if (job.startedAt === null) return pluralize(job.plan.leads, 'lead')
  const report = describeOutcomeCounts(job.report)
  if (toJobState(job) !== 'running') return report
  return `${Math.floor(findJobProgress(job) * 100)}%: ${report}`
}

interface JobLeadRow {
  readonly id: string
  /** When the lead was received, in epoch milliseconds; null if the lead no longer exists. */
  readonly receivedAt: number | null
  /** The lead's current status; null if the lead no longer exists. */
  readonly status: VisibleStatus | null
  /** The id of the lead that replaces this lead, or the error code of a failed action. */
  readonly detail: string | null
}

interface JobLeadsPageProps {
  jobId: string
  outcome: JobLeadOutcome
  rows: readonly JobLeadRow[]
  next: string | undefined
}

/** Lists the leads of a job that had the same result, in the order in which the job processed them. */
export const JobLeadsPage = ({ jobId, outcome, rows, next }: JobLeadsPageProps) => (
  <ConsolePage name="Leads of this job">
    <p className={styles.scope}>
      <span>{outcomeDefinitions[outcome].result}</span>{' '}
      <a href={`/jobs/${jobId}`}>Back to the job</a>
    </p>
    <DataTable
      name="Leads"
      isCompact
      columns={[...leadColumns, outcome === 'failed' ? errorColumn : replacedByColumn]}
      rows={rows}
      keyOf={({ id }) => id}
      empty="No leads. The server deletes a job’s lists of leads 30 days after the job ends."
    />
    <NextPageLink href={next} text="More" />
  </ConsolePage>
)

const leadColumns: readonly Column<JobLeadRow>[] = [
  {
    heading: 'Received',
    isUnlabeled: true,
    cell: ({ id, receivedAt }) =>
      receivedAt !== null && <LeadTimeLink id={id} receivedAt={receivedAt} />,
  },
  { heading: 'Reference', isUnlabeled: true, cell: ({ id }) => <ShortReference id={id} /> },
  {
    heading: 'Current status',
    cell: ({ status }) =>
      status === null ? 'no longer exists' : <LeadStatusBadge status={status} />,
  },
]

const replacedByColumn: Column<JobLeadRow> = {
  heading: 'Replaced by',
  cell: ({ detail }) => detail !== null && <LeadLink id={detail} />,
}

const errorColumn: Column<JobLeadRow> = {
  heading: 'Error code',
  cell: ({ detail }) => detail !== null && <code>{detail}</code>,
}
