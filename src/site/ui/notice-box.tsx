import type { Notice } from '#content/messages.ts'
import styles from './notice-box.module.css'

/** A toast's persistent twin, above the form (ruling 14); without JavaScript the only one. */
export function NoticeBox({ notice }: { notice: Notice }) {
  return (
    <div className={styles.box} tabIndex={-1} data-notice="">
      <p className={styles.summary}>{notice.summary}</p>
      <p className={styles.detail}>{notice.detail}</p>
    </div>
  )
}
