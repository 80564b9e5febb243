import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, NextPageLink } from '#console/shell/data-table.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { findJobProgress, type JobState, toJobState } from '#domain/job/job.ts'
import { describeOutcomeCounts } from '#domain/job/job-lead-outcome.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { actionLabels } from './action-labels.ts'
import styles from './jobs.module.css'

export interface JobListRow {
  readonly job: Job
  /** The conditions that select the job's leads, each in words. */
  readonly scope: readonly string[]
}

interface JobsPageProps {
  jobs: readonly JobListRow[]
  /** The URL of the next page; undefined on the last page. */
  older: string | undefined
  isLive: boolean
}

export const JobsPage = ({ jobs, older, isLive }: JobsPageProps) => (
  <ConsolePage name="Jobs" isLive={isLive}>
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

const columns: readonly Column<JobListRow>[] = [
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
