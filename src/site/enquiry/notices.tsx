import { useEffect, useState } from 'react'
import { type FormNotice, problemHeadings } from '#content/messages.ts'
import { toastDurationMs } from '#content/ui-constants.ts'
import { answerDefinitions, emptyAnswers, fields, hasErrors } from '#domain/enquiry/answers.ts'
import { toLowerLabel } from '#domain/text/formats.ts'
import { makeFieldIds } from '#ui/field.tsx'
import { focusField, focusProblem } from './focus-problem.ts'
import { dispatch } from './form-reducer.ts'
import type { FormState, LiveForm } from './form-state.ts'
import styles from './notices.module.css'

const headingId = 'problem-heading'
const detailId = 'problem-detail'

interface ProblemSummaryProps
  extends Pick<FormState, 'enquiry' | 'notice' | 'errors' | 'corrected'> {
  /** True on a page from the server, which has no toast for its notice. */
  isPosted: boolean
}

/**
 * Names two or more fields with errors in one line; without JavaScript also a single one, with the notice. The line is a
 * group with a description and takes the focus, so a screen reader reads all of it. Each message is at its field.
 */
export function ProblemSummary({
  enquiry,
  errors,
  corrected,
  isPosted,
  ...props
}: ProblemSummaryProps) {
  const notice = isPosted ? props.notice : undefined
  const messages = { ...notice?.links, ...corrected, ...errors }
  const listed = fields.filter((field) => messages[field])
  // How many errors there were, because a line that names one field of two stays until the field is corrected.
  const [count] = useState(listed.length)
  if ((count < 2 && !isPosted) || (listed.length === 0 && !notice)) return null
  const isEmpty = listed.every((field) => enquiry.answers[field] === emptyAnswers[field])
  const heading = isEmpty ? problemHeadings.empty : problemHeadings.wrong
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      className={styles.box}
      role="group"
      aria-labelledby={headingId}
      aria-describedby={detailId}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without JavaScript the new page starts at its errors
      autoFocus
      data-summary=""
      data-corrected={hasErrors(corrected) && !hasErrors(errors) ? '' : undefined}
    >
      <h3 className={styles.heading} id={headingId}>
        {notice?.summary ?? heading}
      </h3>
      <div id={detailId}>
        {notice && !listed.some((field) => messages[field] === notice.detail) && (
          <p className={styles.detail}>{notice.detail}</p>
        )}
        {listed.length > 0 && (
          <ul className={styles.list}>
            {listed.map((field) => (
              <li key={field}>
                <a href={`#${makeFieldIds(field).control}`} onClick={focusField}>
                  {notice?.links?.[field] ?? toLowerLabel(answerDefinitions[field].label)}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

interface ToastProps {
  notice: FormNotice
  state: FormState
  live: LiveForm
}

/** A screen reader announces each fault once: the message that gets the focus or else the message that stays. */
export function Toast({ notice, state, live }: ToastProps) {
  const isAtField = Object.values(state.errors).includes(notice.detail)
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && closeToast(live)
    addEventListener('keydown', onKeyDown)
    const timer = notice.isSticky ? undefined : setTimeout(() => closeToast(live), toastDurationMs)
    return () => {
      removeEventListener('keydown', onKeyDown)
      clearTimeout(timer)
    }
  }, [notice, live])

  return (
    <div
      className={styles.toast}
      data-toast=""
      role={notice.isSticky && !isAtField ? 'alert' : undefined}
    >
      <div>
        <strong>{notice.summary}</strong>
        <p className={styles.detail}>{notice.detail}</p>
      </div>
      <button
        className={styles.close}
        type="button"
        aria-label="Close message"
        onClick={() => closeToast(live)}
      >
        ×
      </button>
    </div>
  )
}

function closeToast(live: LiveForm): void {
  // Closing the focused toast would move the focus to the page's start.
  if (document.activeElement?.closest('[data-toast]')) focusProblem(live.state())
  dispatch(live, { type: 'toast-closed' })
}
