import type { ReactNode } from 'react'
import styles from './enquiry.module.css'

/** Takes the focus when the step changes, so that it is read out and stands in view. */
export function StepHeading({ children }: { children: ReactNode }) {
  return (
    <h2 className={styles.heading} id="enquiry-heading" tabIndex={-1}>
      {children}
    </h2>
  )
}
