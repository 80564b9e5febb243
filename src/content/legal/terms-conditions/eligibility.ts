import type { LegalSection } from '../legal-page.ts'

export const eligibility: LegalSection = {
  id: 'eligibility',
  heading: 'Who may use this site',
  blocks: [
    [
      'You must be at least 18 years old to use this site. It is made for people in the United States.',
    ],
    ['What you enter must be true and about yourself.'],
  ],
}
