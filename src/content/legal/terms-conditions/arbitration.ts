import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'
import { privacyEmailLink } from '../name-links.ts'

export const arbitration = (names: Names): LegalSection => ({
  id: 'arbitration',
  heading: 'Arbitration and class action waiver',
  blocks: [
    [
      'Talk first. Whoever has a dispute tells the other side in writing what it is about and what would settle it. You write to ',
      privacyEmailLink(names),
      '. Both sides then have an informal dispute period of 60 days to settle it before anyone starts a claim.',
    ],
    [
      'Arbitration. A dispute about this site or these terms that is not settled in that time is decided by binding arbitration: by a neutral arbitrator, not by a court. You and we give up the right to a judge and a jury.',
    ],
    [
      'Class action waiver. You and we may bring claims only for ourselves. Neither may take part in a class action, a class arbitration or any other case that joins the claims of several people.',
    ],
    [
      'Time limit. A claim must be started within 1 year after the events that it is about. After that it can no longer be brought.',
    ],
  ],
})
