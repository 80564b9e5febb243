import type { ReactNode } from 'react'
import styles from './notice.module.css'

interface NoticeProps {
  kind: 'well' | 'note' | 'problem'
  heading: string
  children?: ReactNode
}

/** What needs the operator, or is well: said in words, and read out where it is a problem. */
export function Notice({ kind, heading, children }: NoticeProps) {
  return (
    <div className={styles[kind]} role={kind === 'problem' ? 'alert' : undefined}>
      <p className={styles.heading}>{heading}</p>
      {children}
    </div>
  )
}
