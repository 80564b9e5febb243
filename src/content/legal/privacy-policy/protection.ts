import { consentYears } from '#domain/lead/retention.ts'
import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'

export const protection = ({ retentionDays }: Names): LegalSection => ({
  id: 'protection',
  heading: 'How we protect it',
  blocks: [
    ['We take reasonable measures against loss, misuse and unauthorized access. Among them:'],
    {
      list: [
        ['The form accepts only requests that carry the token of our own pages.'],
        [
          'Except for the pixel on the thank-you screen, your browser talks to our server alone; our server calls the outside services.',
        ],
        [
          'Names, email addresses, phone numbers, streets and IP addresses are kept out of our system logs.',
        ],
      ],
    },
    [
      `How long we keep it. ${keeping(retentionDays)} If you ask us to erase your information, we do so at any time: then there remains of the proof of consent what was agreed to, when, and on which of our pages, but nothing that says it was you.`,
    ],
    [
      'No website is perfectly secure. Please send us only what we ask for: never a password or a Social Security number.',
    ],
  ],
})

const keeping = (days: number | undefined): string =>
  days === undefined
    ? 'We keep your answers and the proof of your consent until you ask us to erase them, or until we no longer need them.'
    : `Your answers are erased ${days} days after you sent them; if your enquiry is still waiting to be passed on then, as soon as that is settled. The proof of your consent is deleted ${consentYears} years after you gave it. What remains after that says that there was an enquiry, and nothing about you.`
