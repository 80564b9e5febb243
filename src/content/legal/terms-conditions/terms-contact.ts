import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'
import { privacyEmailLink } from '../name-links.ts'

export const termsContact = (names: Names): LegalSection => ({
  id: 'contact',
  heading: 'Contact',
  blocks: [
    [`Questions about these terms go to ${names.operator} at `, privacyEmailLink(names), '.'],
  ],
})
