import { rightFor } from '#domain/job/bulk-action.ts'
import { type Job, standingOf } from '#domain/job/job.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { counted } from '#domain/text/counted.ts'
import { ConsolePage, MissingRights, type Shell } from '../shell/console-page.tsx'
import type { Message } from '../shell/message.tsx'
import { Moment } from '../shell/times.tsx'
import layout from '../shell/two-columns.module.css'
import { JobActs } from './job-acts.tsx'
import { actionWords } from './job-in-words.ts'
import page from './job-page.module.css'
import { JobPlanned } from './job-planned.tsx'
import { JobReport } from './job-report.tsx'
import { JobStandingNotice } from './job-standing.tsx'
import styles from './jobs.module.css'
import { StartForm, type StartFormProps } from './start-form.tsx'

export interface JobPageProps {
  shell: Shell
  job: Job
  /** The filter in words, part by part; none means every lead. */
  filter: readonly string[]
  leadsAddress: string
  /** Epoch milliseconds. */
  now: number
  /** What was typed, where it was wrong. */
  start: Pick<StartFormProps, 'reason' | 'rate'>
  /** Whether the operator has to confirm before they can start it. */
  needsStepUp: boolean
  said: Message | undefined
}

export function JobPage(props: JobPageProps) {
  const { shell, job, filter, leadsAddress, now, said } = props
  const role = shell.operator?.role ?? 'viewer'
  const mayRun = isAllowed(role, 'run jobs') && isAllowed(role, rightFor[job.action])
  const standing = standingOf(job)
  return (
    <ConsolePage
      shell={shell}
      name="Job"
      message={said}
      isLive={job.endedAt === null}
      actions={isAllowed(role, 'run jobs') && <JobActs shell={shell} job={job} mayRun={mayRun} />}
    >
      <p className={styles.meant}>
        <span>
          <b>{actionWords[job.action].name}</b> ·{' '}
          {filter.length === 0 ? 'every lead' : filter.join(' · ')}
        </span>
        {!job.isOfSearch && <a href={leadsAddress}>See them in the list</a>}
      </p>
      {job.endedAt === null && (
        <MissingRights shell={shell} of={['run jobs', rightFor[job.action]]} />
      )}
      <JobStandingNotice job={job} now={now} />
      <div className={layout.columns}>
        <div className={page.report}>
          {job.startedAt === null ? <JobPlanned job={job} /> : <JobReport job={job} />}
          {standing === 'planned' && job.plan.leads > 0 && mayRun && (
            <StartForm
              shell={shell}
              job={job}
              needsStepUp={props.needsStepUp}
              errors={said?.fields}
              {...props.start}
            />
          )}
          {job.startedAt !== null && <JobPlanned job={job} />}
        </div>
        <JobFacts job={job} />
      </div>
    </ConsolePage>
  )
}

const JobFacts = ({ job }: { job: Job }) => (
  <section className={layout.card} aria-labelledby="facts">
    <h2 id="facts">About it</h2>
    <dl>
      {job.who !== '' && (
        <>
          <dt>{job.startedAt === null ? 'Planned by' : 'Started by'}</dt>
          <dd>{job.who}</dd>
        </>
      )}
      {job.reason !== null && (
        <>
          <dt>Reason</dt>
          <dd>{job.reason}</dd>
        </>
      )}
      <dt>Planned</dt>
      <dd>
        <Moment at={job.plannedAt} />
      </dd>
      {job.startedAt !== null && (
        <>
          <dt>Started</dt>
          <dd>
            <Moment at={job.startedAt} />
          </dd>
          <dt>At most</dt>
          <dd>{counted(job.rate, 'lead')} a second</dd>
        </>
      )}
      {job.endedAt !== null && (
        <>
          <dt>{job.cancelledAt === null ? 'Ended' : 'Cancelled'}</dt>
          <dd>
            <Moment at={job.endedAt} />
          </dd>
        </>
      )}
      <dt>Reference</dt>
      <dd>
        <code>{job.id}</code>
      </dd>
    </dl>
  </section>
)
