import type { ReactNode } from 'react'
import { findProgress, type Job, toJobState } from '#domain/job/job.ts'
import { describeOutcomeCounts } from '#domain/job/job-lead-outcome.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { Notice, type NoticeProps } from '../shell/message.tsx'
import { Timestamp } from '../shell/times.tsx'
import styles from './jobs.module.css'

export function JobProgress({ job }: { job: Job }) {
  const state = toJobState(job)
  if (state === 'running' || state === 'paused') return <RunningJob job={job} />
  const [kind, heading, text] = toStatusNotice(job)
  return (
    <Notice kind={kind} heading={heading}>
      <p>{text}</p>
    </Notice>
  )
}

function toStatusNotice(job: Job): [NoticeProps['kind'], heading: string, text: ReactNode] {
  const { plan, members, done, report, startedAt } = job
  switch (toJobState(job)) {
    case 'planning':
      return [
        'note',
        `Planning: ${pluralize(plan.leads, 'lead')} checked so far`,
        'Nothing changes until you start the job.',
      ]
    case 'planned':
      if (plan.leads === 0) {
        const link = <a href="/leads">Change the filter</a>
        const text = <>Nothing was changed. {link} to plan another job.</>
        return ['note', 'No lead matches this filter', text]
      }
      return [
        'note',
        `Planned for ${pluralize(plan.leads, 'lead')}: nothing has changed yet`,
        <>
          Checked at <Timestamp at={job.plannedAt} />. The job checks each lead again before it acts
          on it.
        </>,
      ]
    case 'gathering':
      return [
        'note',
        `Starting: ${pluralize(members, 'lead')} found so far`,
        'The job begins once all its leads are found.',
      ]
    case 'cancelled': {
      if (startedAt === null) return ['note', 'Cancelled before it started', 'Nothing was changed.']
      const left = pluralize(members - done, 'lead was', 'leads were')
      const text = `${left} not changed. Leads already processed stay as they are.`
      return ['note', `Cancelled: ${describeOutcomeCounts(report)}`, text]
    }
    default:
      return [
        (report.failed ?? 0) > 0 ? 'problem' : 'well',
        members === 0 ? 'Done: no lead matched' : `Done: ${describeOutcomeCounts(report)}`,
        `${pluralize(members, 'lead')} in all.`,
      ]
  }
}

function RunningJob({ job }: { job: Job }) {
  const { done, members, pausedAt } = job
  return (
    <section className={styles.progress} aria-labelledby="progress">
      <h2 id="progress">
        {pausedAt === null ? 'Running' : 'Paused'}: {Math.floor(findProgress(job) * 100)}%
      </h2>
      <progress aria-labelledby="progress" max={Math.max(1, members)} value={done} />
      <p>
        {done.toLocaleString('en-US')} of {pluralize(members, 'lead')}
        {pausedAt !== null && (
          <>
            , paused since <Timestamp at={pausedAt} />
          </>
        )}
      </p>
    </section>
  )
}
