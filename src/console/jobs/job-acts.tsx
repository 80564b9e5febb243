import { type Job, standingOf } from '#domain/job/job.ts'
import type { Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/forms.tsx'
import styles from './jobs.module.css'

interface JobActsProps {
  shell: Shell
  job: Job
  /** Whether this role may do to one lead what the job does. */
  mayRun: boolean
}

/** What can be done with it as it stands. To stop it needs no right to the act itself. */
export function JobActs({ shell, job, mayRun }: JobActsProps) {
  const standing = standingOf(job)
  const isAtIt = standing === 'gathering' || standing === 'running'
  const act = (path: string, button: string, look = controls.button) => (
    <PostForm
      action={`/jobs/${job.id}/${path}`}
      aria-label={`${button} this job`}
      token={shell.token}
    >
      <button className={look} type="submit">
        {button}
      </button>
    </PostForm>
  )
  return (
    <div className={styles.buttons}>
      {isAtIt && act('pause', 'Pause')}
      {standing === 'paused' && mayRun && act('resume', 'Resume', controls.primary)}
      {job.endedAt === null && act('cancel', 'Cancel', controls.danger)}
    </div>
  )
}
