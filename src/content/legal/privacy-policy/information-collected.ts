import type { LegalSection } from '../legal-page.ts'

export const informationCollected: LegalSection = {
  id: 'information-collected',
  heading: 'Personal information collected and used',
  blocks: [
    ['What you tell us. The enquiry form asks for:'],
    {
      list: [
        ['your first and last name, your phone number and your email address;'],
        [
          'your street address and ZIP code, from which we find your city and state, or ask you for them where that fails;',
        ],
        ['your education level and your graduation year;'],
        ['the program that interests you and the start date that you would like.'],
      ],
    },
    [
      'If you ask for a free guide, or send us a contact request, we also have what you write there.',
    ],
    [
      'What comes with your visit. Our server sees your IP address. If the link that brought you here carried an affiliate id, we keep it with your enquiry: it says which partner sent you, not who you are.',
    ],
    [
      'Proof of consent. When you choose “Agree & Continue”, we store the disclosure text word for word as you saw it and a fingerprint of that text, the time, your IP address, the name and version that your browser gives itself, and the page that the form was on.',
    ],
    [
      'What we add. The lead that we make of your enquiry also carries details that you did not type:',
    ],
    {
      list: [
        ['an age, estimated from your graduation year;'],
        [
          'an entry on nursing and teaching licenses, taken from the kind of program that you chose;',
        ],
        [
          'entries that are the same on every lead, whoever sends it: a gender, a start date range, a self-rating, the time available for study, and a link to a consent certificate. They are set for the whole campaign and say nothing about you.',
        ],
      ],
    },
    ['In the words of privacy laws, these are the categories:'],
    {
      list: [
        ['Identifiers: your name, email address and IP address.'],
        ['Contact information: your phone number, street address, city, state and ZIP code.'],
        ['Education information: your education level, graduation year and choice of program.'],
        [
          'Financial information: card and billing details, if you buy something from us. The enquiry form never asks for them.',
        ],
        ['Protected classifications: age and gender, as described above.'],
        [
          'Online activity: the page and the browser you used, the link that brought you here, and that you completed an enquiry.',
        ],
      ],
    },
  ],
}
