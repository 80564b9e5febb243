import type { LegalSection } from '../legal-page.ts'

export const acceptableUse: LegalSection = {
  id: 'acceptable-use',
  heading: 'What you may not do',
  blocks: [
    ['Please do not:'],
    {
      list: [
        ['send an enquiry in the name of another person, or one that you do not mean;'],
        ['send enquiries by a program instead of by hand;'],
        ['try to break, overload or get around the protection of the site.'],
      ],
    },
  ],
}
