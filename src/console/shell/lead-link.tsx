import styles from './lead-link.module.css'

/** Shows only the two ends of a reference. Screen readers read the whole reference, and the clipboard gets all of it. */
export const ShortReference = ({ id }: { id: string }) => (
  <code className={styles.reference} title={id}>
    {id.slice(0, 8)}
    <span className={styles.middle}>{id.slice(8, -4)}</span>
    {id.slice(-4)}
  </code>
)

export const LeadLink = ({ id }: { id: string }) => (
  <a href={`/leads/${id}`}>
    <ShortReference id={id} />
  </a>
)

export const LeadLinks = ({ ids }: { ids: readonly string[] }) =>
  ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <LeadLink id={id} />
    </span>
  ))
