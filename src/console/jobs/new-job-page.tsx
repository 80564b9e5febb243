import { ConsolePage } from '#console/shell/console-page.tsx'
import { PostForm, RadioGroup, ReasonField, SubmitButton } from '#console/shell/forms.tsx'
import type { ErrorGroupKind } from '#domain/delivery/deliveries-view.ts'
import type { BulkAction } from '#domain/job/job.ts'
import { formatDuration } from '#domain/text/time-formats.ts'
import { actionLabels } from './action-labels.ts'
import styles from './jobs.module.css'

export interface NewJobPageProps {
  /** The filter's conditions, each in words. An empty filter matches every lead. */
  filter: readonly string[]
  /** The filter and the search, as a query string of `/leads`. */
  query: string
  leadsAddress: string
  /** The number of leads, as in `182 leads`, and of the people whom a search concerns. */
  count: string
  /** The actions that the operator may choose and that can change at least one of the leads. */
  actions: readonly BulkAction[]
  /** Whether the operator may erase leads, but the search concerns several people. */
  isErasureRefused: boolean
}

/** Lets the operator choose an action for the leads of a filter. The form only plans a job; no lead changes yet. */
export function NewJobPage(props: NewJobPageProps) {
  const { filter, query, leadsAddress, count, actions, isErasureRefused } = props
  return (
    <ConsolePage name="New job">
      <p className={styles.scope}>
        <span>
          {filter.length === 0 ? 'Every lead' : filter.join(' · ')}
          <span className={styles.quiet}> ({count})</span>
        </span>
      </p>
      {isErasureRefused && (
        <p>A search can erase the leads of one person only. Open one lead and erase that person.</p>
      )}
      {actions.length === 0 ? (
        <p>
          No {isErasureRefused && 'other '}action can change these leads.{' '}
          <a href={leadsAddress}>Back to the leads</a>
        </p>
      ) : (
        <PostForm className={styles.act} action="/jobs" aria-label="New job" fields={{ query }}>
          <RadioGroup
            legend="Action"
            name="action"
            choices={actions.map((action) => ({ value: action, ...actionLabels[action] }))}
            chosen={actions[0]}
          />
          <p className={styles.quiet}>
            The plan counts the expected results. Nothing changes until you start the job.
          </p>
          <div className={styles.buttons}>
            <SubmitButton variant="primary">Plan</SubmitButton>
            <a href={leadsAddress}>Back to the leads</a>
          </div>
        </PostForm>
      )}
    </ConsolePage>
  )
}

export interface RetryGroupPageProps {
  group: string
  kind: ErrorGroupKind
  /** The query string of `/leads` for the leads that the job retries. */
  leadsQuery: string
  name: string
  /** The number of leads in the group, as in `182 leads`. */
  count: string
  /** The age of the oldest lead, in milliseconds; undefined if the group has no leads. */
  oldestMs: number | undefined
  /** The number of leads that are at most 30 days old; undefined if no lead is older. */
  recentCount: string | undefined
  /** The values that the operator typed, if the server refused the form. */
  typed: { readonly reason: string; readonly age: string }
}

/** Asks for confirmation before a job retries an error group's leads. The button plans the job and starts it at once. */
export const RetryGroupPage = (props: RetryGroupPageProps) => {
  const { kind, leadsQuery, name, count, oldestMs } = props
  return (
    <ConsolePage name="Retry this group">
      <p className={styles.scope}>
        <span>
          {kind === 'errors'
            ? 'Every waiting or failed lead whose last attempt failed with '
            : 'Every rejected lead whose last attempt ended with '}
          <b>{name}</b>
          <span className={styles.quiet}>
            {' '}
            ({count}
            {oldestMs !== undefined && `, the oldest received ${formatDuration(oldestMs)} ago`})
          </span>
        </span>
        <a href={`/leads?${leadsQuery}`}>View leads</a>
      </p>
      {oldestMs === undefined ? (
        <p>
          Nothing is left to retry. <a href="/deliveries">Back to deliveries</a>
        </p>
      ) : (
        <RetryGroupForm {...props} />
      )}
    </ConsolePage>
  )
}

function RetryGroupForm(props: RetryGroupPageProps) {
  const { group, kind, count, recentCount, typed } = props
  const warning = 'A person who enquired long ago may not expect a call any more.'
  return (
    <PostForm
      className={styles.act}
      action="/jobs/retry"
      aria-label="Retry this group"
      fields={{ error: group, of: kind }}
    >
      <p>
        {actionLabels.retry.effect} The job skips leads that were delivered, erased or replaced by a
        newer enquiry.
      </p>
      {recentCount !== undefined && (
        <RadioGroup
          legend="Which leads"
          name="age"
          choices={[
            {
              value: 'recent',
              name: `Only leads of the last 30 days: ${recentCount}`,
              effect: 'Older leads stay as they are.',
            },
            { value: 'all', name: `All leads of the group: ${count}`, effect: warning },
          ]}
          chosen={typed.age}
        />
      )}
      <ReasonField value={typed.reason} />
      <div className={styles.buttons}>
        <SubmitButton variant="primary">
          {recentCount === undefined ? `Retry ${count}` : 'Retry the chosen leads'}
        </SubmitButton>
        <a href="/deliveries">Back to deliveries</a>
      </div>
    </PostForm>
  )
}
