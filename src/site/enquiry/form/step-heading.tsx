import type { ReactNode } from 'react'
import styles from './enquiry.module.css'

/** The id of what describes the heading: the step's title, or the thanks. */
export const stepTitleId = 'enquiry-title'

interface StepHeadingProps {
  /** Whether a page that comes anew, as each step does without JavaScript, begins here. */
  isStart: boolean
  children: ReactNode
}

/** Takes the focus when the step changes, so that it is read out, with the step's title, and stands in view. */
export function StepHeading({ isStart, children }: StepHeadingProps) {
  return (
    <h2
      className={styles.heading}
      id="enquiry-heading"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: a reader would have to find the form again on every step
      autoFocus={isStart}
      aria-describedby={stepTitleId}
    >
      {children}
    </h2>
  )
}
