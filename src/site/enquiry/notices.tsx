import { useEffect, useState } from 'react'
import { type FormNotice, problemHeading } from '#content/messages.ts'
import { toastDurationMs } from '#content/ui-constants.ts'
import { fields } from '#domain/enquiry/answers.ts'
import { makeFieldIds } from '#ui/field.tsx'
import { focusField, focusProblem } from './focus-problem.ts'
import { dispatch } from './form-reducer.ts'
import type { FormState, LiveForm } from './form-state.ts'
import styles from './problem-summary.module.css'
import toastStyles from './toast.module.css'

const headingId = 'problem-heading'
const detailId = 'problem-detail'

interface ProblemSummaryProps extends Pick<FormState, 'notice' | 'errors' | 'corrected'> {
  /** True on a page from the server, which has no toast for its notice. */
  isPosted: boolean
}

/**
 * Lists two or more errors above the form; without JavaScript also a single one, with the notice. The list is a group
 * with a description and takes the focus, so a screen reader reads all of it.
 */
export function ProblemSummary({ errors, corrected, isPosted, ...props }: ProblemSummaryProps) {
  const notice = isPosted ? props.notice : undefined
  const messages = { ...notice?.links, ...corrected, ...errors }
  const [listed] = useState(() => fields.filter((field) => messages[field]))
  const isCorrected = listed.every((field) => !messages[field])
  if ((listed.length < 2 && !isPosted) || (isCorrected && !notice)) return null
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
    >
      <h3 className={styles.heading} id={headingId}>
        {notice?.summary ?? problemHeading}
      </h3>
      <div id={detailId}>
        {notice && !listed.some((field) => messages[field] === notice.detail) && (
          <p className={styles.detail}>{notice.detail}</p>
        )}
        {listed.length > 0 && (
          <ul className={styles.list}>
            {/* A corrected error stays in the markup, because a phone would show the shorter list. */}
            {listed.map((field) => (
              <li key={field} hidden={!messages[field]}>
                <a href={`#${makeFieldIds(field).control}`} onClick={focusField}>
                  {messages[field]}
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
    <div className={toastStyles.rail}>
      <div
        className={toastStyles.toast}
        data-toast=""
        role={notice.isSticky && !isAtField ? 'alert' : undefined}
      >
        <div>
          <strong>{notice.summary}</strong>
          <p className={toastStyles.detail}>{notice.detail}</p>
        </div>
        <button
          className={toastStyles.close}
          type="button"
          aria-label="Close message"
          onClick={() => closeToast(live)}
        >
          ×
        </button>
      </div>
    </div>
  )
}

function closeToast(live: LiveForm): void {
  // Closing the focused toast would move the focus to the page's start.
  if (document.activeElement?.closest('[data-toast]')) focusProblem(live.state())
  dispatch(live, { type: 'toast-closed' })
}
