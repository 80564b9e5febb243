import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'
import { unsubscribeLink } from '../name-links.ts'
import { pageLinks } from '../page-links.ts'

export const service = (names: Names): LegalSection => ({
  id: 'service',
  heading: 'What this site does',
  blocks: [
    [
      `This site tells you about the online programs of ${names.school} and passes on your enquiry, so that the school can contact you. An enquiry, a contact request or a free guide costs you nothing and obliges you to nothing.`,
    ],
    [
      'An enquiry is not an application. We do not decide on admission, tuition, aid or credit, and we promise no result. Programs and figures change: ask the school before you rely on them.',
    ],
    [
      'When you send an enquiry, you agree that the school and its affiliates may email you. You may opt out at any time with the ',
      unsubscribeLink(names),
      '. Our ',
      pageLinks.privacyPolicy,
      ' says what happens to your information.',
    ],
    ['We work to keep the site correct and available, but do not promise that it always is.'],
  ],
})
