import { type Page, expect as playwrightExpect } from '@playwright/test'
import type { StepId } from '#domain/enquiry/answers.ts'
import { steps } from '#domain/enquiry/enquiry.ts'
import { patience } from '#tests/patience/patience.ts'
import { ada, type Person, type Question, questionsOf } from './ada.ts'

/** The benches use this file without the configuration of the journeys. */
const expect = playwrightExpect.configure({ timeout: patience })

/** A control by its complete accessible name, because other elements contain the same words. */
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

export const expectStep = (page: Page, number: number) =>
  expect(page.getByRole('heading', { name: `Step ${number} of 4`, exact: true })).toBeVisible()

/** A new step's focus is on its question, which screen readers read before the step's number. */
export async function expectQuestionFocused(page: Page, number: number) {
  const question = page.getByRole('heading', { name: steps[number - 1]?.question ?? '' })
  await expect(question).toBeFocused()
  await expect(question).toHaveAccessibleDescription(new RegExp(`^Step ${number} of 4`))
}

export const expectThanks = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Information Received' })).toBeVisible()

export const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click()

export const back = (page: Page) => page.getByRole('button', { name: 'Back', exact: true }).click()

export const send = (page: Page) => page.getByRole('button', { name: 'Agree & Continue' }).click()

const fillers: Record<Question['control'], (page: Page, label: string, answer: string) => unknown> =
  {
    text: (page, label, answer) => field(page, label).fill(answer),
    async phone(page, label, answer) {
      // The last digit is typed with its key, because the first key press loads the rest of the script.
      await field(page, label).fill(answer.slice(0, -1))
      await field(page, label).pressSequentially(answer.slice(-1))
    },
    list: (page, label, answer) => field(page, label).selectOption({ label: answer }),
    box: (page) => page.getByRole('checkbox').check(),
  }

async function fillStep(page: Page, id: StepId, changes: Partial<Person>) {
  const person = { ...ada, ...changes }
  for (const { control, label = '', answer } of questionsOf(id)) {
    await fillers[control](page, label, answer?.(person) ?? '')
  }
}

export const fillAboutYou = (page: Page, person: Person) => fillStep(page, 'about-you', person)

export const fillAddress = (page: Page, person: Pick<Person, 'address' | 'zip'>) =>
  fillStep(page, 'address', person)

export const fillYourEducation = (
  page: Page,
  person: Pick<Person, 'educationLevel' | 'graduationYear'>,
) => fillStep(page, 'your-education', person)

export const fillProgram = (page: Page, person: Pick<Person, 'program' | 'startDate'>) =>
  fillStep(page, 'program', person)

/** Goes from step 1 to another step, of which nothing is filled. */
export async function fillToStep(page: Page, step: 2 | 3 | 4, person: Person) {
  const fillEach = [fillAboutYou, fillAddress, fillYourEducation]
  for (const [index, fill] of fillEach.slice(0, step - 1).entries()) {
    await fill(page, person)
    await next(page)
    await expectStep(page, index + 2)
  }
}

/** Continues through steps that are already filled. */
export async function nextThrough(page: Page, ...steps: readonly number[]) {
  for (const step of steps) {
    await next(page)
    await expectStep(page, step)
  }
}

/** Goes from step 1 to a filled step 4 that is not yet submitted. */
export async function fillAll(page: Page, person: Person) {
  await fillToStep(page, 4, person)
  await fillProgram(page, person)
}

/** Goes from an empty step 3 to the thank-you screen. */
export async function finishFromEducation(page: Page, person: Omit<Person, 'email'>) {
  await expectStep(page, 3)
  await fillYourEducation(page, person)
  await next(page)
  await expectStep(page, 4)
  await fillProgram(page, person)
  await send(page)
  await expectThanks(page)
}

/** Makes the page switch the form to a step. */
export const goTo = (page: Page, step: number) =>
  page.evaluate(
    (wanted) =>
      document.dispatchEvent(new CustomEvent('enquiry:go-to', { detail: { step: wanted } })),
    step,
  )
