import type { LegalSection } from '../legal-page.ts'

export const governingLaw: LegalSection = {
  id: 'governing-law',
  heading: 'Governing law and venue',
  blocks: [
    ['The law of the State of Florida governs these terms.'],
    [
      'The venue for arbitration, and for anything that a court must decide all the same, is Sarasota County, Florida.',
    ],
    ['If one of these terms turns out not to be valid, the others stay in force.'],
  ],
}
