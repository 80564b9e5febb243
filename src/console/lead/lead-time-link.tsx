import { Timestamp } from '#console/shell/times.tsx'
import { statusLabels, type VisibleStatus } from '#domain/lead/lead-status.ts'
import styles from './lead-status-badge.module.css'

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
  <span className={styles.status} data-status={status}>
    {statusLabels[status]}
  </span>
)
