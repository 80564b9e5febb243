import { LeadLink } from '../lead/lead-link.tsx'
import { Notice } from './notice.tsx'

/** What an act came to, in words. */
export interface SaidOfAct {
  readonly kind: 'well' | 'note' | 'problem'
  readonly heading: string
  readonly text?: string | undefined
  /** A lead that is meant. */
  readonly lead?: string | undefined
}

export const Said = ({ said: { kind, heading, text, lead } }: { said: SaidOfAct }) => (
  <Notice kind={kind} heading={heading}>
    {(text !== undefined || lead !== undefined) && (
      <p>
        {text} {lead !== undefined && <LeadLink id={lead} />}
      </p>
    )}
  </Notice>
)
