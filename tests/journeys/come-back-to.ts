import type { Page } from '@playwright/test'
import { educationLevels } from '#domain/catalogue/catalogue.ts'
import { makeAddressKey } from '#domain/enquiry/address.ts'
import { type Enquiry, emptyEnquiry, steps } from '#domain/enquiry/enquiry.ts'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import { ada, type Person } from './ada.ts'
import { expectStep } from './fill-steps.ts'
import { untilAlive } from './visit.ts'

/** The example's answers to the earlier steps, with a verified address. */
const exampleBefore = (step: number) =>
  Object.fromEntries(
    steps
      .slice(0, step - 1)
      .flatMap(({ fields }) => fields.map((field) => [field, exampleAnswers[field]])),
  )

/**
 * Opens the page as somebody who has answered the earlier steps and reloads, with the tab's saved data. It takes a
 * tenth of the time of filling the steps in. `is-interrupted` tests that the data is saved and found after a reload.
 * @param step from 2 to 4, none of which is answered
 */
export async function comeBackTo(page: Page, step: 2 | 3 | 4, path: string, person: Person) {
  const { firstName, lastName, phone, email } = person
  const level = educationLevels.find(({ name }) => name === person.educationLevel)
  if (person.address !== ada.address || person.zip !== ada.zip) throw new Error('not checked')
  const draft: Enquiry = {
    ...emptyEnquiry,
    step: (step - 1) as Enquiry['step'],
    answers: {
      ...emptyEnquiry.answers,
      ...exampleBefore(step),
      ...{ firstName, lastName, email },
      phone: `(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`,
      ...(step > 3
        ? { educationLevel: String(level?.id), graduatingYear: person.graduationYear }
        : {}),
    },
    ...(step > 2
      ? {
          addressCheck: {
            ...emptyEnquiry.addressCheck,
            checkedFor: makeAddressKey(exampleAnswers),
            by: 'check',
          },
        }
      : {}),
  }
  await page.addInitScript((stored) => {
    // Once per tab, because its pages change the data later.
    if (window.name === 'came back') return
    window.name = 'came back'
    sessionStorage.setItem('enquiry', stored)
    sessionStorage.setItem('enquiry-opened', String(Date.now() - 60_000))
  }, JSON.stringify(draft))
  await page.goto(path)
  await untilAlive(page)
  await expectStep(page, step)
}
