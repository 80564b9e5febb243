import type { Answers } from '#domain/enquiry/answers.ts'

/** A valid answer to every question. */
export const exampleAnswers: Answers = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '(941) 555-0100',
  email: 'ada@example.com',
  address: '1 Palm Avenue',
  zip: '34236',
  city: 'Sarasota',
  state: 'FL',
  educationLevel: '791',
  graduatingYear: '2012',
  programId: '8',
  startDate: 'immediately',
  confirmation: 'on',
}
