import { expect, type Page } from '@playwright/test'
import type { Person } from './ada.ts'
import {
  expectStep,
  expectThanks,
  field,
  fillAboutYou,
  fillAddress,
  fillProgram,
  fillYourEducation,
  next,
  send,
} from './fill-steps.ts'
import { toast, twin } from './toast.ts'

/** Checks a screen; its name stands in the test's report. */
export type Look = (screen: string) => Promise<void>

/** Shows every state of the first two steps; ends on the third. */
export async function seeAboutYouAndAddress(page: Page, person: Person, look: Look) {
  await look('step 1')
  await next(page)
  await expect(twin(page)).toBeFocused()
  await look('step 1, errors')
  await fillAboutYou(page, { ...person, email: 'ada.lovelace@gmial.com' })
  await next(page)
  await expect(twin(page)).toBeFocused()
  await look('step 1, a slip in the email')
  await fillAboutYou(page, person)
  await next(page)

  await expectStep(page, 2)
  await look('step 2')
  await next(page)
  await expect(twin(page)).toBeFocused()
  await look('step 2, errors')
  await fillAddress(page, { ...person, zip: '00000' })
  await next(page)
  await expect(toast(page)).toBeVisible()
  await look('step 2, an invalid ZIP')
  await fillAddress(page, { ...person, zip: '99999' })
  await next(page)
  await expect(field(page, 'City')).toBeVisible()
  await look('step 2, the address service is down')
  await next(page)
  await expect(field(page, 'City')).toHaveAttribute('aria-invalid', 'true')
  await look('step 2, by hand, errors')
  for (const [address, screen] of [
    ['1 NOUNIT St', 'step 2, asked for the unit'],
    ['1 REPLACE NOUNIT St', 'step 2, offered another street'],
    ['1 UNKNOWN St', 'step 2, an unknown street'],
  ] as const) {
    await fillAddress(page, { ...person, address })
    await next(page)
    await expect(twin(page)).toBeFocused()
    await look(screen)
  }
  await fillAddress(page, person)
  await next(page)
  await expectStep(page, 3)
}

/** Shows every state of the last two steps, from the third on, and the thank-you screen. */
export async function seeEducationAndProgram(page: Page, person: Person, look: Look) {
  await look('step 3')
  await page.getByRole('button', { name: 'Why we ask' }).click()
  await look('step 3, a tip open')
  await page.keyboard.press('Escape')
  await next(page)
  await expect(twin(page)).toBeFocused()
  await look('step 3, errors')
  await fillYourEducation(page, person)
  await next(page)

  await expectStep(page, 4)
  await look('step 4')
  await field(page, 'Program').press('Space')
  await look('step 4, a list open')
  await page.keyboard.press('Escape')
  await send(page)
  await expect(twin(page)).toBeFocused()
  await look('step 4, errors')
  await fillProgram(page, person)
  await page.route('**/api/leads', (route) => route.fulfill({ status: 503, body: '{}' }), {
    times: 1,
  })
  await send(page)
  await expect(page.getByText('The problem is on our side')).toBeVisible()
  await look('step 4, not sent')
  await send(page)
  await expectThanks(page)
  await look('the thanks')
}
