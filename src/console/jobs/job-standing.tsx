import { type Job, standingOf } from '#domain/job/job.ts'
import { progressOf } from '#domain/job/progress.ts'
import { reportInWords } from '#domain/job/report-in-words.ts'
import { counted } from '#domain/text/counted.ts'
import { Notice } from '../shell/message.tsx'
import { durationInWords, Moment } from '../shell/times.tsx'
import { roughly } from './job-in-words.ts'
import styles from './progress.module.css'

interface JobStandingProps {
  job: Job
  now: number
}

/** How far it is, and what happens next. */
export function JobStandingNotice({ job, now }: JobStandingProps) {
  const left = job.members - job.done
  switch (standingOf(job)) {
    case 'planning':
      return (
        <Notice
          kind="note"
          heading={`Being counted: at least ${counted(job.plan.leads, 'lead')} so far`}
        >
          <p>
            {job.plan.countedUntil !== undefined && (
              <>
                Those received before <Moment at={job.plan.countedUntil} /> are counted.{' '}
              </>
            )}
            Nothing is done by it. <Reload job={job} />
          </p>
        </Notice>
      )
    case 'planned':
      return job.plan.leads === 0 ? (
        <Notice kind="note" heading="No lead matches any more">
          <p>There is nothing to start.</p>
        </Notice>
      ) : (
        <Notice
          kind="note"
          heading={`Planned for ${counted(job.plan.leads, 'lead')}: nothing is done yet`}
        >
          <p>
            Counted at <Moment at={job.plannedAt} />. What became of a lead since decides when it is
            its turn.
          </p>
        </Notice>
      )
    case 'gathering':
      return (
        <Notice kind="note" heading="It begins: which leads are meant is being written down">
          <p>
            {counted(job.members, 'lead')} so far. Nothing is done to them before all are known.{' '}
            <Reload job={job} />
          </p>
        </Notice>
      )
    case 'running':
    case 'paused':
      return <Under job={job} now={now} />
    case 'cancelled':
      return (
        <Notice
          kind="note"
          heading={
            job.startedAt === null
              ? 'Cancelled before it began'
              : `Cancelled: ${reportInWords(job.report)}`
          }
        >
          <p>
            {job.startedAt === null
              ? 'Nothing was done.'
              : `What was done stays done. ${counted(left, 'lead was', 'leads were')} not touched.`}
          </p>
        </Notice>
      )
    case 'done':
      return (
        <Notice
          kind={(job.report.failed ?? 0) > 0 ? 'problem' : 'well'}
          heading={`Done: ${reportInWords(job.report)}`}
        >
          <p>
            {counted(job.members, 'lead')} in{' '}
            {durationInWords((job.endedAt ?? now) - (job.startedAt ?? now))}.
          </p>
        </Notice>
      )
  }
}

function Under({ job, now }: JobStandingProps) {
  const { share, speed, msLeft } = progressOf(job, now)
  const isPaused = job.pausedAt !== null
  const said = [
    `${job.done.toLocaleString('en-US')} of ${counted(job.members, 'lead')}`,
    ...(speed === undefined ? [] : [`${Math.max(1, Math.round(speed))} a second`]),
    ...(msLeft === undefined ? [] : [`${roughly(msLeft)} left`]),
  ]
  return (
    <section className={styles.progress} aria-labelledby="progress">
      <h2 id="progress">
        {isPaused ? 'Paused' : 'It runs'}: {Math.floor(share * 100)} %
      </h2>
      <progress aria-labelledby="progress" max={Math.max(1, job.members)} value={job.done} />
      <p>
        {said.join(' · ')}
        {job.pausedAt !== null && (
          <>
            {' '}
            · since <Moment at={job.pausedAt} />, until somebody resumes it
          </>
        )}
      </p>
      {!isPaused && (
        <p>
          <Reload job={job} />
        </p>
      )}
    </section>
  )
}

const Reload = ({ job }: { job: Job }) => <a href={`/jobs/${job.id}`}>See how far it is now</a>
