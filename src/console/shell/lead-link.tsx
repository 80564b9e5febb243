import styles from './lead-link.module.css'

/** Shows the start of a reference. Screen readers read it whole, and it is copied whole. */
export const Reference = ({ id }: { id: string }) => (
  <code className={styles.reference} title={id}>
    {id.slice(0, 8)}
    <span className={styles.middle}>{id.slice(8, -4)}</span>
    {id.slice(-4)}
  </code>
)

export const LeadLink = ({ id }: { id: string }) => (
  <a href={`/leads/${id}`}>
    <Reference id={id} />
  </a>
)

export const LeadLinks = ({ ids }: { ids: readonly string[] }) =>
  ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <LeadLink id={id} />
    </span>
  ))

/** The list of leads restored from a backup that may have been delivered after the backup. */
export const inDoubtLeadsUrl = '/leads?restored=in-doubt'
