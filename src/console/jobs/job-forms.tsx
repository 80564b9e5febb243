import { type Job, maxLeadsPerSecond, toJobState } from '#domain/job/job.ts'
import { TextField } from '#ui/field.tsx'
import type { ConsoleShell } from '../shell/console-page.tsx'
import { ButtonForm, PostForm, ReasonField, StepUpButton, SubmitButton } from '../shell/forms.tsx'
import { type Message, Notice } from '../shell/message.tsx'
import layout from '../shell/two-columns.module.css'
import { actionLabels } from './job-labels.ts'
import styles from './jobs.module.css'

interface JobButtonsProps {
  shell: ConsoleShell
  job: Job
  /** Whether the role allows the job's action. Every role that may run jobs may pause or cancel any job. */
  mayRun: boolean
}

export function JobButtons({ shell, job, mayRun }: JobButtonsProps) {
  const state = toJobState(job)
  const form = (button: string, look?: 'primary' | 'danger') => (
    <ButtonForm
      action={`/jobs/${job.id}/${button.toLowerCase()}`}
      token={shell.token}
      button={button}
      name={`${button} this job`}
      {...(look && { look })}
    />
  )
  return (
    <div className={styles.buttons}>
      {(state === 'gathering' || state === 'running') && form('Pause')}
      {state === 'paused' && mayRun && form('Resume', 'primary')}
      {job.endedAt === null && form('Cancel', 'danger')}
    </div>
  )
}

export interface StartJobFormProps {
  shell: ConsoleShell
  job: Job
  reason: string
  rate: string
  errors: Message['fields']
}

export function StartJobForm({ shell, job, reason, rate, errors }: StartJobFormProps) {
  const address = `/jobs/${job.id}/start`
  const isErasing = job.action === 'erase'
  return (
    <section className={layout.card} aria-labelledby="start">
      <h2 id="start">Start this job</h2>
      {isErasing && (
        <Notice kind="problem" heading="This can’t be undone">
          <p>
            Names, addresses, phone numbers, emails and IP addresses are erased permanently. Erase
            them from backups and earlier exports yourself.
          </p>
        </Notice>
      )}
      {isErasing && shell.confirmFor !== undefined ? (
        <>
          <p>Erasing needs a sign-in within the last ten minutes.</p>
          <StepUpButton returnTo={shell.confirmFor} button="Confirm it’s you" />
        </>
      ) : (
        <PostForm className={styles.start} action={address} aria-label="Start" token={shell.token}>
          <fieldset className={styles.fields}>
            <legend>Reason and rate</legend>
            <ReasonField isRequired error={errors?.reason} value={reason} />
            <TextField
              name="rate"
              label="Leads per second"
              type="text"
              inputMode="numeric"
              autoComplete="off"
              hint={`From 1 to ${maxLeadsPerSecond}. The distributor gets retried leads at this rate.`}
              error={errors?.rate}
              value={rate}
            />
          </fieldset>
          <div className={styles.buttons}>
            <SubmitButton look={isErasing ? 'danger' : 'primary'}>Start</SubmitButton>
            <p className={styles.quiet}>{actionLabels[job.action].does}</p>
          </div>
        </PostForm>
      )}
    </section>
  )
}
