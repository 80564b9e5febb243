import type { OperatorAction } from '#domain/job/job.ts'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import { Choices, PostForm, ReasonField, Submit } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import { actionLabels } from './job-labels.ts'
import styles from './jobs.module.css'

export interface NewJobPageProps {
  shell: Shell
  /** The filter in words, part by part; none means every lead. */
  filter: readonly string[]
  /** The values from the address. */
  query: string
  searchId: string | undefined
  /** The list of these leads. */
  leadsAddress: string
  /** In words; undefined if they were not counted. */
  count: string | undefined
  /** The actions that this role allows, and the one that was chosen. */
  actions: readonly OperatorAction[]
  chosen: OperatorAction | undefined
  problem: NewJobProblem | undefined
}

export interface NewJobProblem extends Message {
  /** The filter itself has to change, so the form is left out. */
  readonly isFinal?: boolean
}

/** Chooses the action for the leads of a filter. The plan comes first: nothing happens here. */
export function NewJobPage(props: NewJobPageProps) {
  const { shell, filter, query, searchId, leadsAddress, count, actions, chosen, problem } = props
  const back = <a href={leadsAddress}>Back to the leads</a>
  return (
    <ConsolePage shell={shell} name="New job" message={problem}>
      {problem?.isFinal ? (
        <p>{back}</p>
      ) : (
        <>
          <p className={styles.scope}>
            <span>
              {filter.length === 0 ? 'Every lead' : filter.join(' · ')}
              {count !== undefined && <span className={styles.quiet}> ({count})</span>}
            </span>
          </p>
          <PostForm
            className={styles.act}
            action="/jobs"
            aria-label="New job"
            token={shell.token}
            fields={{ query, search: searchId ?? '' }}
          >
            <Choices
              legend="Action"
              name="action"
              choices={actions.map((action) => ({ value: action, ...actionLabels[action] }))}
              chosen={chosen}
              error={problem?.fields?.action}
            />
            <p className={styles.quiet}>
              The plan shows what would happen to each lead. It changes nothing until you start it.
            </p>
            <div className={styles.buttons}>
              <Submit look="primary">Plan</Submit>
              {back}
            </div>
          </PostForm>
        </>
      )}
    </ConsolePage>
  )
}

export interface RetryGroupPageProps {
  shell: Shell
  /** The group's id, as in a filter. */
  group: string
  /** The group in words. */
  name: string
  /** As typed. */
  reason: string
  problem: Message | undefined
}

/** Confirms the retry of all leads that failed alike. Its button plans and starts the job in one. */
export const RetryGroupPage = ({ shell, group, name, reason, problem }: RetryGroupPageProps) => (
  <ConsolePage shell={shell} name="Retry this group" message={problem}>
    <p className={styles.scope}>
      <span>
        Every lead whose last attempt failed with <b>{name}</b>
      </span>
      <a href={`/leads?error=${encodeURIComponent(group)}`}>View leads</a>
    </p>
    <PostForm
      className={styles.act}
      action="/jobs/retry"
      aria-label="Retry this group"
      token={shell.token}
      fields={{ error: group }}
    >
      <p>
        {actionLabels.retry.does} Leads that were delivered, erased or replaced by a newer enquiry
        are skipped.
      </p>
      <ReasonField error={problem?.fields?.reason} value={reason} />
      <div className={styles.buttons}>
        <Submit look="primary">Retry</Submit>
        <a href="/deliveries">Back to deliveries</a>
      </div>
    </PostForm>
  </ConsolePage>
)
