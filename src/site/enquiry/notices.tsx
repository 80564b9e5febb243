import { type MouseEvent, useEffect, useState } from 'react'
import { problemHeading } from '#content/messages.ts'
import { toastDurationMs } from '#content/ui-constants.ts'
import { makeFieldIds } from '#ui/field.tsx'
import { dispatch } from './form-reducer.ts'
import type { LazyFormParts, LiveForm } from './form-state.ts'
import styles from './problem-summary.module.css'
import { focusProblemSummary } from './step-effects.tsx'
import toastStyles from './toast.module.css'

const headingId = 'problem-heading'
const detailId = 'problem-detail'

/**
 * Shows the list of errors above the form. The list is a group with a description and takes the focus, so a screen
 * reader reads all of it. A corrected error is struck out, because removing it would move the fields below.
 */
export const ProblemSummary: LazyFormParts['ProblemSummary'] = ({ notice, errors }) => {
  const currentProblems = { ...notice?.links, ...errors }
  const [problems] = useState(() => Object.entries(currentProblems))
  if (!notice && problems.length === 0) return null
  const isCorrected =
    problems.length > 0 && problems.every(([field]) => !(field in currentProblems))
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
      data-corrected={isCorrected ? '' : undefined}
    >
      <h3 className={styles.heading} id={headingId}>
        {notice?.summary ?? problemHeading}
      </h3>
      <div id={detailId}>
        {notice && !problems.some(([, message]) => message === notice.detail) && (
          <p className={styles.detail}>{notice.detail}</p>
        )}
        {notice?.more && <p className={styles.detail}>{notice.more}</p>}
        {problems.length > 0 && (
          <ul className={styles.list}>
            {problems.map(([field, message]) => (
              <li key={field} data-corrected={field in currentProblems ? undefined : ''}>
                <a href={`#${makeFieldIds(field).control}`} onClick={focusField}>
                  {message}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

/** Moves the focus to the field, because a link alone only scrolls there in some browsers. */
function focusField(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault()
  document.getElementById(event.currentTarget.hash.slice(1))?.focus()
}

/** The toast is no live region, because its copy in the page takes the focus and is read aloud (reading 14). */
export const Toast: LazyFormParts['Toast'] = ({ notice, live }) => {
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
      <div className={toastStyles.toast} data-toast="">
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
  // The focus moves to the summary, because closing the focused toast would move the focus to the page's start.
  if (document.activeElement?.closest('[data-toast]')) focusProblemSummary()
  dispatch(live, { type: 'toast-closed' })
}
