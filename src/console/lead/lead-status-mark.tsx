import styles from './lead-status-mark.module.css'

/** A lead's status, by its word; the mark is for the eye that runs down a column. */
export const LeadStatusMark = ({ status }: { status: string }) => (
  <span className={styles.status} data-status={status}>
    {status}
  </span>
)
