import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'
import { unsubscribeLink } from '../name-links.ts'

export const uses = (names: Names): LegalSection => ({
  id: 'uses',
  heading: 'How we use it',
  blocks: [
    ['We use personal information to:'],
    {
      list: [
        [
          `pass your enquiry on, so that ${names.school} can contact you about the program you chose;`,
        ],
        ['send the free guides that you ask for, and answer contact requests;'],
        ['send you the email that you agreed to receive;'],
        ['check that an address exists before it is sent on;'],
        ['notice when the same enquiry is sent twice, so that it is passed on once;'],
        ['credit the partner who sent you, and measure how well our advertising works;'],
        ['show later what you agreed to, and when;'],
        ['take payment and answer billing questions, if you buy something from us;'],
        ['protect the site against misuse;'],
        ['answer privacy requests and do what the law requires.'],
      ],
    },
    ['You may opt out of email at any time with the ', unsubscribeLink(names), '.'],
  ],
})
