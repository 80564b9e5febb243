import { expect, type Page } from '@playwright/test'
import type { Person } from './ada.ts'

/** A control by its accessible name, whole: other things on the page speak of the same words. */
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

export const expectStep = (page: Page, number: number) =>
  expect(page.getByRole('heading', { name: `Step ${number} of 4`, exact: true })).toBeVisible()

export const expectThanks = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Information Received' })).toBeVisible()

export const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click()

export const back = (page: Page) => page.getByRole('button', { name: 'Back', exact: true }).click()

export const send = (page: Page) => page.getByRole('button', { name: 'Agree & Continue' }).click()

export async function fillAboutYou(page: Page, person: Person) {
  await field(page, 'First name').fill(person.firstName)
  await field(page, 'Last name').fill(person.lastName)
  // The last digit by its key: a first sign of life has the script load the rest of itself.
  await field(page, 'Phone').fill(person.phone.slice(0, -1))
  await field(page, 'Phone').pressSequentially(person.phone.slice(-1))
  await field(page, 'Email').fill(person.email)
}

export async function fillAddress(page: Page, person: Pick<Person, 'address' | 'zip'>) {
  await field(page, 'Street address').fill(person.address)
  await field(page, 'ZIP code').fill(person.zip)
}

export async function fillYourEducation(
  page: Page,
  person: Pick<Person, 'educationLevel' | 'graduationYear'>,
) {
  await field(page, 'Education level').selectOption({ label: person.educationLevel })
  await field(page, 'Graduation year').fill(person.graduationYear)
}

export async function fillProgram(page: Page, person: Pick<Person, 'program' | 'startDate'>) {
  await field(page, 'Program').selectOption({ label: person.program })
  await field(page, 'Start date').selectOption({ label: person.startDate })
  await page.getByRole('checkbox').check()
}

/** From step 1 to another, of which nothing is filled. */
export async function fillToStep(page: Page, step: 2 | 3 | 4, person: Person) {
  const fillers = [fillAboutYou, fillAddress, fillYourEducation]
  for (const [index, fill] of fillers.slice(0, step - 1).entries()) {
    await fill(page, person)
    await next(page)
    await expectStep(page, index + 2)
  }
}

/** Where all of them are filled. */
export async function nextThrough(page: Page, ...steps: readonly number[]) {
  for (const step of steps) {
    await next(page)
    await expectStep(page, step)
  }
}

/** From step 1 to a filled step 4, not yet sent. */
export async function fillAll(page: Page, person: Person) {
  await fillToStep(page, 4, person)
  await fillProgram(page, person)
}

/** From step 3, of which nothing is filled, to the thanks. */
export async function finishFromEducation(page: Page, person: Omit<Person, 'email'>) {
  await expectStep(page, 3)
  await fillYourEducation(page, person)
  await next(page)
  await expectStep(page, 4)
  await fillProgram(page, person)
  await send(page)
  await expectThanks(page)
}

/** The form's step, set by the page. */
export const goTo = (page: Page, step: number) =>
  page.evaluate(
    (wanted) =>
      document.dispatchEvent(new CustomEvent('enquiry:go-to', { detail: { step: wanted } })),
    step,
  )
