import { Moment } from '../shell/times.tsx'
import styles from './lead-link.module.css'
import leadStatusMarkStyles from './lead-status-mark.module.css'

interface LeadNameProps {
  id: string
  /** Epoch milliseconds. */
  receivedAt: number
  /** Where they are known; whoever sees the list has them in a column. */
  initials?: string
}

/** A lead in a list: by when it came, which a person remembers, and not by its reference. */
export const LeadName = ({ id, receivedAt, initials = '' }: LeadNameProps) => (
  <a href={`/leads/${id}`}>
    <Moment at={receivedAt} />
    {initials !== '' && <span className="visually-hidden">, {initials}</span>}
  </a>
)

/** Shown short; it is read out and copied whole. */
export const Reference = ({ id }: { id: string }) => (
  <code className={styles.reference} title={id}>
    {id.slice(0, 8)}
    <span className={styles.middle}>{id.slice(8, -4)}</span>
    {id.slice(-4)}
  </code>
)

/** Another lead, by its plain address. */
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

/** A lead's status, by its word; the mark is for the eye that runs down a column. */
export const LeadStatusMark = ({ status }: { status: string }) => (
  <span className={leadStatusMarkStyles.status} data-status={status}>
    {status}
  </span>
)
