import type { LegalSection } from '../legal-page.ts'

export const protection: LegalSection = {
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
      'No website is perfectly secure. Please send us only what we ask for: never a password or a Social Security number.',
    ],
  ],
}
