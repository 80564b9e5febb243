import styles from './lead-link.module.css'

/** Another lead, by its plain address. Where there is little room its reference is shown short; it is read out and copied whole. */
export const LeadLink = ({ id }: { id: string }) => (
  <a className={styles.link} href={`/leads/${id}`} title={id}>
    <code>
      {id.slice(0, 8)}
      <span className={styles.middle}>{id.slice(8, -4)}</span>
      {id.slice(-4)}
    </code>
  </a>
)

export const LeadLinks = ({ ids }: { ids: readonly string[] }) =>
  ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <LeadLink id={id} />
    </span>
  ))
