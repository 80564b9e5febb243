import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'
import { privacyEmailLink } from '../name-links.ts'

export const electronicSignature = (names: Names): LegalSection => ({
  id: 'electronic-signature',
  heading: 'Consent to electronic signature',
  blocks: [
    [
      'When you tick the consent box and choose “Agree & Continue”, that is your electronic signature. You agree that it counts as much as one on paper.',
    ],
    [
      'You also agree to receive agreements, notices and records from us electronically. You need a web browser and an email account to read them, and you may print or save them.',
    ],
    [
      'You may withdraw this consent at any time by writing to ',
      privacyEmailLink(names),
      '. What you signed before stays valid.',
    ],
  ],
})
