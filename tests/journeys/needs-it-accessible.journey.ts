import { expect, type Page } from '@playwright/test'
import { look } from '#tests/accessibility/look.ts'
import { sitePages } from '#tests/product/site-pages.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { seeAboutYouAndAddress, seeEducationAndProgram } from './every-screen.ts'
import {
  expectQuestionFocused,
  field,
  fillAboutYou,
  fillProgram,
  next,
  send,
} from './fill-steps.ts'
import { test, visit } from './visit.ts'

const nurse = { ...ada, program: 'B.S. Nursing (RN to BSN)' }

test.describe('no engine finds an error, everything fits, and nothing covers anything else', () => {
  const lookAtForm = (page: Page) => (screen: string) => look(page, screen, '#enquiry')

  test('on the first two steps', async ({ page, email }) => {
    await visit(page, '/healthcare')
    await seeAboutYouAndAddress(page, { ...nurse, email }, lookAtForm(page))
  })

  test('on the last two steps and the thank-you screen', async ({ page, email }) => {
    await comeBackTo(page, 3, '/healthcare', { ...nurse, email })
    await seeEducationAndProgram(page, { ...nurse, email }, lookAtForm(page))
  })

  // Each page is a test of its own, because both engines check it in both color schemes and the tests run in parallel.
  for (const path of [...sitePages, '/a/b']) {
    test(`on the page ${path}`, async ({ lookedPage: page, product }) => {
      await page.goto(new URL(path, product.url).href)
      for (const question of await page.locator('summary').all()) await question.click()
      await look(page, path)
    })
  }
})

test('a screen reader reads a question to the visitor, because it gets the focus', async ({
  page,
}) => {
  await visit(page, '/healthcare')
  await next(page)
  const summary = page.getByRole('group', { name: 'Still needed' })
  await expect(summary).toBeFocused()
  await expect(summary).toHaveAccessibleDescription(/first name.*last name.*phone.*email/)

  // On a phone, more than two lines would push the fields down.
  await page.setViewportSize({ width: 360, height: 740 })
  expect((await summary.boundingBox())?.height).toBeLessThan(72)
  await page.keyboard.press('Tab')
  await expect(summary.getByRole('link', { name: 'first name' })).toBeFocused()
})

test('no choice is marked as invalid before the visitor has made it', async ({ page, email }) => {
  await comeBackTo(page, 4, '/healthcare', { ...ada, email })
  // Browsers mark a required choice as invalid unless the page says that it is valid.
  for (const choice of [
    field(page, 'Program'),
    field(page, 'Start date'),
    page.getByRole('checkbox'),
  ]) {
    await expect(choice).toHaveAttribute('aria-invalid', 'false')
    await expect(choice).toHaveAttribute('required')
  }
})

test('the focus follows the steps', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await expectQuestionFocused(page, 2)
  await page.getByRole('button', { name: 'Back' }).click()
  await expectQuestionFocused(page, 1)
  await next(page)
  await expectQuestionFocused(page, 2)
})

test('the focus follows to the thank-you screen', async ({ page, email }) => {
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  await send(page)
  await expect(page.getByRole('heading', { name: 'Information Received' })).toBeFocused()
})
