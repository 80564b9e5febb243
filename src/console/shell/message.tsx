import type { ReactNode } from 'react'
import type { Message } from '#domain/operator/messages.ts'
import { toAnchor } from '#domain/text/to-anchor.ts'
import { makeFieldIds } from '#ui/field.tsx'
import calloutStyles from './callout.module.css'
import { LeadLink } from './lead-link.tsx'
import styles from './message-banner.module.css'

/** A message that links to each field with an error. The message takes the focus, so that screen readers read it. */
export function MessageBanner({ message }: { message: Message }) {
  const { kind, heading, text, lead, fields = {} } = message
  const errors = Object.entries(fields)
  const attributes = {
    role: kind === 'problem' ? 'group' : 'status',
    'aria-labelledby': 'message-heading',
    'aria-describedby': 'message-detail',
  }
  return (
    <div
      className={calloutStyles[kind]}
      {...attributes}
      tabIndex={-1}
      id="message"
      // biome-ignore lint/a11y/noAutofocus: a page that shows the result of a request begins with the result
      autoFocus
      data-summary=""
    >
      <h2 className={calloutStyles.heading} id="message-heading">
        {heading}
      </h2>
      <div id="message-detail">
        {(text !== undefined || lead !== undefined) && (
          <p className={styles.text}>
            {text !== undefined && <TextWithLinks text={text} />}{' '}
            {lead !== undefined && <LeadLink id={lead} />}
          </p>
        )}
        {errors.length > 0 && (
          <ul className={styles.fields}>
            {errors.map(([name, error]) => (
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

export interface CalloutProps {
  kind: 'well' | 'note' | 'warning' | 'problem'
  heading: string
  children?: ReactNode
}

/** A highlighted text in a page. Screen readers read a callout about a problem at once. */
export function Callout({ kind, heading, children }: CalloutProps) {
  return (
    <div className={calloutStyles[kind]} role={kind === 'problem' ? 'alert' : undefined}>
      <p className={calloutStyles.heading}>{heading}</p>
      {children}
    </div>
  )
}

/** Shows a text in which each named document, such as `docs/runbook.md, “Leads are dead”`, links to the document. */
export const TextWithLinks = ({ text }: { text: string }) =>
  text
    .split(/(docs\/[a-z-]+\.md(?:, “[^”]+”)?)/)
    .map((part, index) => (index % 2 === 0 ? part : <DocumentLink key={part} name={part} />))

function DocumentLink({ name }: { name: string }) {
  const [path, heading] = name.split(/, “|”/)
  const anchor = heading === undefined ? '' : `#${toAnchor(heading)}`
  return <a href={`/${path}${anchor}`}>{name}</a>
}
