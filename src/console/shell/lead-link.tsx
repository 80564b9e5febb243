import { statusLabels, type VisibleStatus } from '#domain/lead/lead-status.ts'
import { toReference } from '#domain/lead/reference.ts'
import styles from './lead-link.module.css'
import badgeStyles from './lead-status-badge.module.css'
import { Timestamp } from './times.tsx'

/** Shows only the two ends of a job's or operator's id. Screen readers and the clipboard get all of it. */
export const ShortReference = ({ id }: { id: string }) => (
  <code className={styles.reference} title={id}>
    {id.slice(0, 8)}
    <span className={styles.middle}>{id.slice(8, -4)}</span>
    {id.slice(-4)}
  </code>
)

/** Shows the reference that the visitor saw, too. */
export const LeadReference = ({ id }: { id: string }) => (
  <code className={styles.reference}>{toReference(id)}</code>
)

export const LeadLink = ({ id }: { id: string }) => (
  <a href={`/leads/${id}`}>
    <LeadReference id={id} />
  </a>
)

export const LeadLinks = ({ ids }: { ids: readonly string[] }) =>
  ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <LeadLink id={id} />
    </span>
  ))

interface LeadTimeLinkProps {
  id: string
  /** When the lead was received, in epoch milliseconds. */
  receivedAt: number
  /** The person's initials, only for screen readers: sighted operators see them in a column. */
  initials?: string
}

/** Links to a lead. The text is the time of receipt, because people remember a time better than a reference. */
export const LeadTimeLink = ({ id, receivedAt, initials = '' }: LeadTimeLinkProps) => (
  <a href={`/leads/${id}`}>
    <Timestamp at={receivedAt} />
    {initials !== '' && <span className="visually-hidden">, {initials}</span>}
  </a>
)

export const LeadStatusBadge = ({ status }: { status: VisibleStatus }) => (
  <span className={badgeStyles.status} data-status={status}>
    {statusLabels[status]}
  </span>
)
