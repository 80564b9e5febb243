import type { ReactNode } from 'react'
import styles from './question-box.module.css'

interface QuestionBoxProps {
  heading: string
  hint: string
  /** How it can be answered beside Next. */
  children?: ReactNode
}

const headingId = 'question'
const hintId = 'question-hint'

/** Asks something before the step is left: it takes the focus, so that it is read out and stands in view. One a step. */
export function QuestionBox({ heading, hint, children }: QuestionBoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend is not read where the focus is moved to it
    <div
      className={styles.question}
      role="group"
      aria-labelledby={headingId}
      aria-describedby={hintId}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without JavaScript a page comes anew, and asks first
      autoFocus
      data-summary=""
    >
      <h3 className={styles.heading} id={headingId}>
        {heading}
      </h3>
      <p className={styles.hint} id={hintId}>
        {hint}
      </p>
      {children}
    </div>
  )
}
