import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'
import { privacyEmailLink, unsubscribeLink } from '../name-links.ts'
import { pageLinks } from '../page-links.ts'

export const privacyContact = (names: Names): LegalSection => ({
  id: 'contact',
  heading: 'Contact',
  blocks: [
    [
      `Questions about your privacy go to ${names.operator} at `,
      privacyEmailLink(names),
      '. To stop email, use the ',
      unsubscribeLink(names),
      '. Use of the site is governed by our ',
      pageLinks.termsConditions,
      '.',
    ],
  ],
})
