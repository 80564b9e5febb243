import { Notice } from '../shell/notice.tsx'
import { LeadLink } from './lead-link.tsx'

/** What an act on a lead came to. */
export interface LeadSaid {
  readonly kind: 'well' | 'note' | 'problem'
  readonly heading: string
  readonly text?: string | undefined
  /** A lead that is meant. */
  readonly lead?: string | undefined
}

export const Said = ({ said: { kind, heading, text, lead } }: { said: LeadSaid }) => (
  <Notice kind={kind} heading={heading}>
    {(text !== undefined || lead !== undefined) && (
      <p>
        {text} {lead !== undefined && <LeadLink id={lead} />}
      </p>
    )}
  </Notice>
)
