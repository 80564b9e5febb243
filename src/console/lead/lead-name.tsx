import { statusLabels, type VisibleStatus } from '#domain/lead/lead-status.ts'
import { Timestamp } from '../shell/times.tsx'
import leadStatusMarkStyles from './lead-status-mark.module.css'

interface LeadNameProps {
  id: string
  /** When the lead was received, in epoch milliseconds. */
  receivedAt: number
  /** The person's initials. Screen readers read them with the link; a column shows them to sighted operators. */
  initials?: string
}

/** Names a lead in a list by the time when it was received, which a person remembers better than a reference. */
export const LeadName = ({ id, receivedAt, initials = '' }: LeadNameProps) => (
  <a href={`/leads/${id}`}>
    <Timestamp at={receivedAt} />
    {initials !== '' && <span className="visually-hidden">, {initials}</span>}
  </a>
)

export const LeadStatusBadge = ({ status }: { status: VisibleStatus }) => (
  <span className={leadStatusMarkStyles.status} data-status={status}>
    {statusLabels[status]}
  </span>
)
