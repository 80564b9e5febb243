import type { Job } from '#domain/job/job.ts'
import { mostRate } from '#domain/job/rate.ts'
import { TextField } from '#ui/text-field.tsx'
import type { Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import { Notice } from '../shell/message.tsx'
import layout from '../shell/two-columns.module.css'
import { actionWords } from './job-in-words.ts'
import page from './job-page.module.css'
import styles from './jobs.module.css'

export interface StartFormProps {
  shell: Shell
  job: Job
  needsStepUp: boolean
  /** As typed. */
  reason: string
  rate: string
  errors: Message['fields']
}

/** Nothing was done until here. */
export function StartForm({ shell, job, needsStepUp, reason, rate, errors }: StartFormProps) {
  const at = `/jobs/${job.id}/start`
  const isErasing = job.action === 'erase'
  return (
    <section className={layout.card} aria-labelledby="start">
      <h2 id="start">Start it</h2>
      {isErasing && (
        <Notice kind="problem" heading="This cannot be undone">
          <p>
            Of each lead name, address, phone, email and IP go for good. Backups and earlier exports
            are yours to see to.
          </p>
        </Notice>
      )}
      {needsStepUp ? (
        <>
          <p>Erasing needs a sign-in within the last ten minutes.</p>
          <a className={controls.button} href={at}>
            Confirm it’s you
          </a>
        </>
      ) : (
        <PostForm className={page.start} action={at} aria-label="Start" token={shell.token}>
          <fieldset className={page.fields}>
            <legend>Why, and how fast</legend>
            <TextField
              name="reason"
              label="Reason"
              type="text"
              autoComplete="off"
              hint="Stands with the job and in the audit for good: name nobody."
              error={errors?.reason}
              value={reason}
            />
            <TextField
              name="rate"
              label="Leads a second, at most"
              type="text"
              inputMode="numeric"
              autoComplete="off"
              hint={`From 1 to ${mostRate}. What is retried meets the distributor at this pace.`}
              error={errors?.rate}
              value={rate}
            />
          </fieldset>
          <div className={styles.buttons}>
            <button className={isErasing ? controls.danger : controls.primary} type="submit">
              Start
            </button>
            <p className={styles.quiet}>
              {actionWords[job.action].does} It is about the leads that match at that moment.
            </p>
          </div>
        </PostForm>
      )}
    </section>
  )
}
