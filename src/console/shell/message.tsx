import type { ReactNode } from 'react'
import { makeFieldIds } from '#ui/field.tsx'
import { LeadLink } from './lead-link.tsx'
import notice from './notice.module.css'
import styles from './page-message.module.css'

/** The result of the request that redirected to this page. */
export interface Message {
  readonly kind: 'well' | 'note' | 'problem'
  readonly heading: string
  readonly text?: string | undefined
  readonly lead?: string | undefined
  /** The errors of the fields by name. The form also shows each error at its field. */
  readonly fields?: Readonly<Partial<Record<string, string>>> | undefined
}

/**
 * The message takes the focus, so that it is in view and screen readers read it. The message links to each invalid
 * field.
 */
export function PageMessage({ message }: { message: Message }) {
  const { kind, heading, text, lead, fields = {} } = message
  const wrong = Object.entries(fields)
  const named = {
    role: kind === 'problem' ? 'group' : 'status',
    'aria-labelledby': 'message-heading',
    'aria-describedby': 'message-detail',
  }
  return (
    <div
      className={notice[kind]}
      {...named}
      tabIndex={-1}
      id="message"
      // biome-ignore lint/a11y/noAutofocus: a page that answers a request begins with the answer
      autoFocus
      data-summary=""
    >
      <h2 className={notice.heading} id="message-heading">
        {heading}
      </h2>
      <div id="message-detail">
        {(text !== undefined || lead !== undefined) && (
          <p className={styles.text}>
            {text} {lead !== undefined && <LeadLink id={lead} />}
          </p>
        )}
        {wrong.length > 0 && (
          <ul className={styles.fields}>
            {wrong.map(([name, error]) => (
              <li key={name}>
                <a href={`#${makeFieldIds(name).control}`}>{error}</a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

export interface NoticeProps {
  kind: 'well' | 'note' | 'warning' | 'problem'
  heading: string
  children?: ReactNode
}

/** Says in words that something succeeded or failed. Screen readers announce a problem. */
export function Notice({ kind, heading, children }: NoticeProps) {
  return (
    <div className={notice[kind]} role={kind === 'problem' ? 'alert' : undefined}>
      <p className={notice.heading}>{heading}</p>
      {children}
    </div>
  )
}
