import { Moment } from '../shell/moment.tsx'
import { Notice } from '../shell/notice.tsx'

export interface BehindNoticeProps {
  /** Epoch milliseconds. */
  since: number
  /** In words. */
  changes: string
}

/** A list that does not know of everything says so: it is never taken for the whole. */
export const BehindNotice = ({ since, changes }: BehindNoticeProps) => (
  <Notice kind="note" heading={`The list is being brought up to date: ${changes} to go`}>
    <p>
      It is complete as of <Moment at={since} />. A lead that came or changed since may be missing,
      or stand under what it was; each line says how its lead is now. Reload in a while.
    </p>
  </Notice>
)
