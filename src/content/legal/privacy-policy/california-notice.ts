import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'
import { privacyEmailLink } from '../name-links.ts'
import { pageLinks } from '../page-links.ts'
import { requestRules } from '../request-rules.ts'

export const californiaNotice = (names: Names): LegalSection => ({
  id: 'california-notice',
  heading: 'California notice',
  blocks: [
    ['If you live in California, you have these rights:'],
    {
      list: [
        [
          'Access. You may ask what personal information we have collected about you, where it came from, why we have it and who has received it.',
        ],
        ['Portability. You may ask for your information in a form that you can take elsewhere.'],
        [
          'Erasure. You may ask us to delete your information. We may keep what the law allows or requires us to keep, and then tell you so.',
        ],
        [
          'Opt-out of sale. You may tell us not to sell your information, or let your browser say so with Global Privacy Control.',
        ],
        [
          'Non-discrimination. We do not refuse you anything, charge you more or treat you worse because you used one of these rights.',
        ],
      ],
    },
    [
      'To use a right, write to ',
      privacyEmailLink(names),
      '. The page ',
      pageLinks.privacyRightsRequest,
      ' says what to put in the email.',
    ],
    requestRules,
    [
      'The categories that we collect, and may share or sell, are listed under ',
      { text: 'Personal information collected and used', href: '#information-collected' },
      '. Those who may receive them are listed under ',
      { text: 'How we share it', href: '#sharing' },
      '.',
    ],
  ],
})
