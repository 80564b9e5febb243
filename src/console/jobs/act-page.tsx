import type { BulkAction } from '#domain/job/bulk-action.ts'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { Choices, PostForm } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import page from './act-page.module.css'
import { actionWords } from './job-in-words.ts'
import styles from './jobs.module.css'

export interface ActPageProps {
  shell: Shell
  /** The filter in words, part by part; none means every lead. */
  filter: readonly string[]
  /** As in the address. */
  query: string
  searchId: string | undefined
  /** The list of the leads that are meant. */
  leadsAddress: string
  /** In words; undefined where nothing could be looked for. */
  count: string | undefined
  /** What this role may do, and what was chosen. */
  actions: readonly BulkAction[]
  chosen: BulkAction | undefined
  problem: ActProblem | undefined
}

export interface ActProblem extends Message {
  /** Nothing can be planned before that is mended. */
  readonly isFinal?: boolean
}

/** Asks what is to be done to the leads of a filter. Nothing is done by it: the plan comes first. */
export function ActPage(props: ActPageProps) {
  const { shell, filter, query, searchId, leadsAddress, count, actions, chosen, problem } = props
  return (
    <ConsolePage shell={shell} name="Act on these leads" message={problem}>
      {!problem?.isFinal && (
        <p className={styles.meant}>
          <span>
            {filter.length === 0 ? 'Every lead there is' : filter.join(' · ')}
            {count !== undefined && <span className={styles.quiet}> ({count})</span>}
          </span>
        </p>
      )}
      {problem?.isFinal ? (
        <p>
          <a href={leadsAddress}>Back to the leads</a>
        </p>
      ) : (
        <PostForm className={page.act} action="/jobs" aria-label="A new job" token={shell.token}>
          <input type="hidden" name="query" value={query} />
          <input type="hidden" name="search" value={searchId ?? ''} />
          <Choices
            legend="What is to be done"
            name="action"
            choices={actions.map((action) => ({ value: action, ...actionWords[action] }))}
            chosen={chosen}
            error={problem?.fields?.action}
          />
          <p className={styles.quiet}>
            The plan counts what would happen, and does nothing. You start it then, or leave it.
          </p>
          <div className={styles.buttons}>
            <button className={controls.primary} type="submit">
              Plan
            </button>
            <a href={leadsAddress}>Back to the leads</a>
          </div>
        </PostForm>
      )}
    </ConsolePage>
  )
}
