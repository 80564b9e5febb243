import type { Person } from '#tests/journeys/fill-steps.ts'
import type { Visitor } from './visitor.ts'

export const person = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '9415550100',
  address: '1 Palm Avenue',
  zip: '34236',
  educationLevel: 'Bachelors Degree',
  graduationYear: '2012',
  program: 'M.B.A.',
  startDate: 'Immediately',
} as const satisfies Omit<Person, 'email'>

export async function answerAboutYou(visitor: Visitor, email: string) {
  await visitor.fill('First name', person.firstName)
  await visitor.fill('Last name', person.lastName)
  await visitor.fill('Phone', person.phone)
  await visitor.fill('Email', email)
  await visitor.press('Next')
  await visitor.seesHeading('Step 2 of 4')
}

export async function answerAddress(visitor: Visitor) {
  await visitor.fill('Street address', person.address)
  await visitor.fill('ZIP code', person.zip)
  await visitor.press('Next')
  await visitor.seesHeading('Step 3 of 4')
}

export async function answerEducation(visitor: Visitor) {
  await visitor.choose('Education level', person.educationLevel)
  await visitor.fill('Graduation year', person.graduationYear)
  await visitor.press('Next')
  await visitor.seesHeading('Step 4 of 4')
}

export async function answerProgram(visitor: Visitor) {
  await visitor.choose('Program', person.program)
  await visitor.choose('Start date', person.startDate)
  await visitor.tick()
  await visitor.press('Agree & Continue')
}
