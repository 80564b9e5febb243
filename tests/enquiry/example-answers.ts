import type { Answers } from '#domain/enquiry/enquiry.ts'

/** An enquiry with every step answered as the rules want it. */
export const exampleAnswers: Answers = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '(941) 555-0100',
  email: 'ada@example.com',
  address: '1 Palm Avenue',
  zip: '34236',
  city: 'Sarasota',
  state: 'FL',
  previousEducation: '791',
  graduatingYear: '2012',
  desiredProgram: '8',
  startDate: 'immediately',
  confirmation: 'on',
}
