import { ada } from '#tests/journeys/ada.ts'
import type { Visitor } from './visitor.ts'

export async function answerAboutYou(visitor: Visitor, email: string) {
  await visitor.fill('First name', ada.firstName)
  await visitor.fill('Last name', ada.lastName)
  await visitor.fill('Phone', ada.phone)
  await visitor.fill('Email', email)
  await visitor.press('Next')
  await visitor.seesHeading('Step 2 of 4')
}

export async function answerAddress(visitor: Visitor) {
  await visitor.fill('Street address', ada.address)
  await visitor.fill('ZIP code', ada.zip)
  await visitor.press('Next')
  await visitor.seesHeading('Step 3 of 4')
}

export async function answerEducation(visitor: Visitor) {
  await visitor.choose('Education level', ada.educationLevel)
  await visitor.fill('Graduation year', ada.graduationYear)
  await visitor.press('Next')
  await visitor.seesHeading('Step 4 of 4')
}

export async function answerProgram(visitor: Visitor) {
  await visitor.choose('Program', ada.program)
  await visitor.choose('Start date', ada.startDate)
  await visitor.tick()
  await visitor.press('Agree & Continue')
}
