import type { ErrorGroupKind } from '#domain/delivery/deliveries-view.ts'
import type { BulkAction } from '#domain/job/job.ts'
import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import { PostForm, RadioGroup, ReasonField, SubmitButton } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import { actionLabels } from './action-labels.ts'
import styles from './jobs.module.css'

export interface NewJobPageProps {
  shell: ConsoleShell
  /** The filter's conditions, each in words. An empty filter matches every lead. */
  filter: readonly string[]
  /** The filter and the search, as a query string of `/leads`. */
  query: string
  leadsAddress: string
  /** The number of leads, as in `182 leads`. */
  count: string
  actions: readonly BulkAction[]
}

/** Lets the operator choose an action for the leads of a filter. The form only plans a job; no lead changes yet. */
export function NewJobPage(props: NewJobPageProps) {
  const { shell, filter, query, leadsAddress, count, actions } = props
  return (
    <ConsolePage shell={shell} name="New job">
      <p className={styles.scope}>
        <span>
          {filter.length === 0 ? 'Every lead' : filter.join(' · ')}
          <span className={styles.quiet}> ({count})</span>
        </span>
      </p>
      <PostForm
        className={styles.act}
        action="/jobs"
        aria-label="New job"
        token={shell.token}
        fields={{ query }}
      >
        <RadioGroup
          legend="Action"
          name="action"
          choices={actions.map((action) => ({ value: action, ...actionLabels[action] }))}
          chosen="retry"
        />
        <p className={styles.quiet}>
          The plan counts the expected results. Nothing changes until you start the job.
        </p>
        <div className={styles.buttons}>
          <SubmitButton variant="primary">Plan</SubmitButton>
          <a href={leadsAddress}>Back to the leads</a>
        </div>
      </PostForm>
    </ConsolePage>
  )
}

export interface RetryGroupPageProps {
  shell: ConsoleShell
  group: string
  kind: ErrorGroupKind
  /** The query string of `/leads` for the leads that the job retries. */
  leadsQuery: string
  name: string
  reason: string
  problem: Message | undefined
}

/** Asks for confirmation before a job retries an error group's leads. The button plans the job and starts it at once. */
export const RetryGroupPage = ({
  shell,
  group,
  kind,
  leadsQuery,
  name,
  reason,
  problem,
}: RetryGroupPageProps) => (
  <ConsolePage shell={shell} name="Retry this group" message={problem}>
    <p className={styles.scope}>
      <span>
        {kind === 'errors'
          ? 'Every waiting or failed lead whose last attempt failed with '
          : 'Every rejected lead whose last attempt ended with '}
        <b>{name}</b>
      </span>
      <a href={`/leads?${leadsQuery}`}>View leads</a>
    </p>
    <PostForm
      className={styles.act}
      action="/jobs/retry"
      aria-label="Retry this group"
      token={shell.token}
      fields={{ error: group, of: kind }}
    >
      <p>
        {actionLabels.retry.effect} The job skips leads that were delivered, erased or replaced by a
        newer enquiry.
      </p>
      <ReasonField error={problem?.fields?.reason} value={reason} />
      <div className={styles.buttons}>
        <SubmitButton variant="primary">Retry</SubmitButton>
        <a href="/deliveries">Back to deliveries</a>
      </div>
    </PostForm>
  </ConsolePage>
)
