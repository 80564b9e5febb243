import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'

export const sharing = (names: Names): LegalSection => ({
  id: 'sharing',
  heading: 'How we share it',
  blocks: [
    ['We may share personal information with:'],
    {
      list: [
        [
          `The school. Your enquiry is sent to ${names.school} through a lead-distribution service. It carries your answers, your IP address, the affiliate id, the details that we add, and that you gave your consent.`,
        ],
        [
          'Service providers who work for us. An address validation service receives your street address and ZIP code; a geocoding service receives your ZIP code; an IP geolocation service receives your IP address. Our server calls them, your browser does not.',
        ],
        ['Affiliates: companies connected with us or with the school, who may email you.'],
        [
          'Marketing partners, such as the partner whose link brought you here and the third party behind the measurement pixel.',
        ],
        ['Authorities and others, where the law requires it.'],
      ],
    },
    [
      'The address check runs when you leave the address step, so your address reaches those services even if you do not finish the enquiry.',
    ],
    [
      'Sale. We may sell personal information. The law of California also counts it as a sale when we pass information on for something of value other than money. You may opt out: the ',
      { text: 'California notice', href: '#california-notice' },
      ' says how. A browser that sends Global Privacy Control has opted out for you: then we pass your enquiry on to the school, because you ask us to, and sell nothing.',
    ],
  ],
})
