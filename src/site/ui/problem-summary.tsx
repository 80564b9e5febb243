import type { MouseEvent } from 'react'
import type { Notice } from '#content/messages.ts'
import { problemHeading } from '#content/messages.ts'
import type { FieldErrors } from '#domain/enquiry/answers.ts'
import { fieldIds } from './field.tsx'
import styles from './problem-summary.module.css'

interface ProblemSummaryProps {
  /** A toast's twin in the page (ruling 14); without JavaScript the only one. */
  notice: Notice | undefined
  errors: FieldErrors
}

/** Everything that needs the visitor, above the form: it takes the focus, and leads to each field. */
export function ProblemSummary({ notice, errors }: ProblemSummaryProps) {
  const problems = Object.entries(errors)
  if (!notice && problems.length === 0) return null
  return (
    <div className={styles.box} tabIndex={-1} data-summary="">
      <h3 className={styles.heading}>{notice?.summary ?? problemHeading}</h3>
      {notice && !problems.some(([, message]) => message === notice.detail) && (
        <p className={styles.detail}>{notice.detail}</p>
      )}
      {problems.length > 0 && (
        <ul className={styles.list}>
          {problems.map(([field, message]) => (
            <li key={field}>
              <a href={`#${fieldIds(field).control}`} onClick={focusField}>
                {message}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A link alone would scroll to the field, but not focus it in every browser. */
function focusField(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault()
  document.getElementById(event.currentTarget.hash.slice(1))?.focus()
}
