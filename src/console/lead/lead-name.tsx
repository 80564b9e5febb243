import { type ShownStatus, statusLabels } from '#domain/lead/lead-status.ts'
import { Moment } from '../shell/times.tsx'
import leadStatusMarkStyles from './lead-status-mark.module.css'

interface LeadNameProps {
  id: string
  /** Epoch milliseconds. */
  receivedAt: number
  /** Read out with the link; sighted operators see them in a column. */
  initials?: string
}

/** Names a lead in a list by when it came, which a person remembers better than a reference. */
export const LeadName = ({ id, receivedAt, initials = '' }: LeadNameProps) => (
  <a href={`/leads/${id}`}>
    <Moment at={receivedAt} />
    {initials !== '' && <span className="visually-hidden">, {initials}</span>}
  </a>
)

export const LeadStatusMark = ({ status }: { status: ShownStatus }) => (
  <span className={leadStatusMarkStyles.status} data-status={status}>
    {statusLabels[status]}
  </span>
)
