import type { Names } from './disclosure.ts'
import type { Inline } from './legal/legal-page.ts'
import { privacyEmailLink, unsubscribeLink } from './legal/name-links.ts'
import { pageLinks } from './legal/page-links.ts'

/** The headings that every landing page has; what differs by area stands in area-pages.ts. */
export const landingHeadings = {
  figures: 'The school in figures',
  areas: 'What you can study',
  programs: (area: string) => `${area} programs`,
  reasons: 'Four things to weigh',
  questions: 'Before you ask',
}

/** In place of the lead, for who has chosen a program in its list. */
export const chosenLead = (program: string): string =>
  `You chose ${program}: four short steps, then the school contacts you.`

/** Below the form: what it costs, and when the school gets to know. Its button is the one that sends. */
export const promise = {
  cost: 'Asking costs nothing and obliges you to nothing.',
  when: {
    before: 'The school gets your details when you press ',
    button: 'Agree & Continue',
    after: ', not before.',
  },
}

interface Question {
  readonly question: string
  readonly answer: readonly Inline[]
}

/** What people want to know before they leave a phone number. */
export const questions = (names: Names): readonly Question[] => [
  {
    question: 'Who runs this site?',
    answer: [
      `${names.operator}. It is not the school: it sends your request to ${names.school}, which then contacts you. What it may do with your details is in the `,
      pageLinks.privacyPolicy,
      '.',
    ],
  },
  {
    question: 'What does it cost to ask?',
    answer: [
      'Nothing, and you can stop at any step. What a program costs in all is a question for the school: ask it when you are contacted.',
    ],
  },
  {
    question: 'When does the school get my details?',
    answer: [
      `When you press ${promise.when.button} on the last step. Until then no request is stored. On the second step an address service checks the address that you typed.`,
    ],
  },
  {
    question: 'How will the school contact me?',
    answer: [
      'At the phone number or the email address that you give. To stop that, tell the school, or use the ',
      unsubscribeLink(names),
      '.',
    ],
  },
  {
    question: 'How do I have my details deleted?',
    answer: [
      'Write to ',
      privacyEmailLink(names),
      '. One email is enough; the page ',
      pageLinks.privacyRightsRequest,
      ' says what to put in it.',
    ],
  },
]
