import { Moment } from '../shell/moment.tsx'

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
