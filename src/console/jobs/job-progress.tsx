import { type Job, jobState, progressOf } from '#domain/job/job.ts'
import { describeReport } from '#domain/job/member-outcome.ts'
import { counted } from '#domain/text/counted.ts'
import { Notice } from '../shell/message.tsx'
import { formatDuration, Moment } from '../shell/times.tsx'
import { approximateDuration } from './job-labels.ts'
import styles from './jobs.module.css'

interface JobProgressProps {
  job: Job
  /** Epoch milliseconds. */
  now: number
}

/** The job's state, how far it is and what happens next. */
export function JobProgress({ job, now }: JobProgressProps) {
  switch (jobState(job)) {
    case 'planning':
      return (
        <Notice kind="note" heading={`Planning: ${counted(job.plan.leads, 'lead')} checked so far`}>
          <p>
            {job.plan.countedUntil !== undefined && (
              <>
                Leads received before <Moment at={job.plan.countedUntil} /> are checked.{' '}
              </>
            )}
            Nothing changes until you start the job. <Reload job={job} />
          </p>
        </Notice>
      )
    case 'planned':
      return job.plan.leads === 0 ? (
        <Notice kind="note" heading="No lead matches this filter">
          <p>
            Nothing was changed. <a href="/leads">Change the filter</a> to plan another job.
          </p>
        </Notice>
      ) : (
        <Notice
          kind="note"
          heading={`Planned for ${counted(job.plan.leads, 'lead')}: nothing has changed yet`}
        >
          <p>
            Checked at <Moment at={job.plannedAt} />. Each lead is checked again when its turn
            comes.
          </p>
        </Notice>
      )
    case 'gathering':
      return (
        <Notice kind="note" heading={`Starting: ${counted(job.members, 'lead')} found so far`}>
          <p>
            The job begins once all its leads are found. <Reload job={job} />
          </p>
        </Notice>
      )
    case 'running':
    case 'paused':
      return <Running job={job} now={now} />
    case 'cancelled': {
      const left = counted(job.members - job.done, 'lead was', 'leads were')
      return (
        <Notice
          kind="note"
          heading={
            job.startedAt === null
              ? 'Cancelled before it started'
              : `Cancelled: ${describeReport(job.report)}`
          }
        >
          <p>
            {job.startedAt === null
              ? 'Nothing was changed.'
              : `${left} not touched. Leads that are done stay as they are.`}
          </p>
        </Notice>
      )
    }
    case 'done':
      return (
        <Notice
          kind={(job.report.failed ?? 0) > 0 ? 'problem' : 'well'}
          heading={
            job.members === 0 ? 'Done: no lead matched' : `Done: ${describeReport(job.report)}`
          }
        >
          <p>
            {counted(job.members, 'lead')} in{' '}
            {formatDuration((job.endedAt ?? now) - (job.startedAt ?? now))}.
          </p>
        </Notice>
      )
  }
}

function Running({ job, now }: JobProgressProps) {
  const { share, speed, msLeft } = progressOf(job, now)
  const facts = [
    `${job.done.toLocaleString('en-US')} of ${counted(job.members, 'lead')}`,
    ...(speed === undefined ? [] : [`${Math.max(1, Math.round(speed))} per second`]),
    ...(msLeft === undefined ? [] : [`${approximateDuration(msLeft)} left`]),
  ]
  return (
    <section className={styles.progress} aria-labelledby="progress">
      <h2 id="progress">
        {job.pausedAt === null ? 'Running' : 'Paused'}: {Math.floor(share * 100)}%
      </h2>
      <progress aria-labelledby="progress" max={Math.max(1, job.members)} value={job.done} />
      <p>
        {facts.join(' · ')}
        {job.pausedAt !== null && (
          <>
            {' '}
            · paused since <Moment at={job.pausedAt} />
          </>
        )}
      </p>
      {job.pausedAt === null && (
        <p>
          <Reload job={job} />
        </p>
      )}
    </section>
  )
}

const Reload = ({ job }: { job: Job }) => <a href={`/jobs/${job.id}`}>Refresh</a>
