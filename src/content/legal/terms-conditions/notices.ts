import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'
import { privacyEmailLink } from '../name-links.ts'

export const notices = (names: Names): LegalSection => ({
  id: 'notices',
  heading: 'Notices',
  blocks: [
    [
      'We may send you a notice by email or by mail, to the address that you gave us. Send yours to ',
      privacyEmailLink(names),
      '.',
    ],
    {
      list: [
        ['A notice by email is deemed received 24 hours after it was sent.'],
        ['A notice by mail is deemed received 3 days after it was mailed.'],
      ],
    },
  ],
})
