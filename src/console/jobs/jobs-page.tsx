import type { Job } from '#domain/job/job.ts'
import { standingOf } from '#domain/job/job.ts'
import { progressOf } from '#domain/job/progress.ts'
import { reportInWords } from '#domain/job/report-in-words.ts'
import { ConsolePage, ListNews, MissingRights, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import type { Message } from '../shell/message.tsx'
import { Moment } from '../shell/times.tsx'
import { actionWords, standingWords } from './job-in-words.ts'
import marks from './marks.module.css'

export interface JobRow {
  readonly job: Job
  /** The filter in words, part by part. */
  readonly filter: readonly string[]
}

interface JobsPageProps {
  shell: Shell
  jobs: readonly JobRow[]
  /** Of the jobs before them; undefined where there are none. */
  older: string | undefined
  /** Epoch milliseconds. */
  now: number
  problem: Message | undefined
}

export const JobsPage = ({ shell, jobs, older, now, problem }: JobsPageProps) => (
  <ConsolePage shell={shell} name="Jobs" message={problem} isLive={problem === undefined}>
    <MissingRights shell={shell} of={['run jobs']} />
    <ListNews href="/jobs" />
    <div id="jobs" data-live-list="">
      <DataTable
        name="Jobs"
        columns={columns(now)}
        rows={jobs}
        keyOf={({ job }) => job.id}
        empty={
          <>
            <b>No job yet.</b> What is done to many leads at once stands here from its plan on, with
            how far it is and what came of it. To make one, <a href="/leads">filter the leads</a>,
            and press <b>Act on all leads…</b> above them: the plan counts what would happen, and
            does nothing.
          </>
        }
      />
    </div>
    {older !== undefined && (
      <a className={controls.button} rel="next" href={older}>
        Older
      </a>
    )}
  </ConsolePage>
)

const columns = (now: number): readonly Column<JobRow>[] => [
  {
    heading: 'Planned',
    cell: ({ job }) => (
      <a href={`/jobs/${job.id}`}>
        <Moment at={job.plannedAt} />
      </a>
    ),
  },
  { heading: 'What', isWhole: true, cell: ({ job }) => actionWords[job.action].name },
  {
    heading: 'Of which leads',
    isLong: true,
    cell: ({ filter }) => (filter.length === 0 ? 'every lead' : filter.join(' · ')),
  },
  {
    heading: 'Standing',
    cell: ({ job }) => (
      <span className={marks.standing} data-standing={standingOf(job)}>
        {standingWords[standingOf(job)]}
      </span>
    ),
  },
  { heading: 'Came to', isWhole: true, cell: ({ job }) => cameTo(job, now) },
  { heading: 'Who', cell: ({ job }) => job.who || '–' },
  { heading: 'Why', isLong: true, cell: ({ job }) => job.reason ?? '–' },
]

function cameTo(job: Job, now: number): string {
  if (job.startedAt === null) return `${job.plan.leads.toLocaleString('en-US')} leads counted`
  const report = reportInWords(job.report)
  if (standingOf(job) !== 'running') return report
  return `${Math.floor(progressOf(job, now).share * 100)} %: ${report}`
}
