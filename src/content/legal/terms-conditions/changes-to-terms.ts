import type { LegalSection } from '../legal-page.ts'

export const changesToTerms: LegalSection = {
  id: 'changes',
  heading: 'Changes to these terms',
  blocks: [
    [
      'We may change these terms by changing this page; the date at the top then changes too. New terms apply to what you do on the site after that date.',
    ],
  ],
}
