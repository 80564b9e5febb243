import { expect } from '@playwright/test'
import { ada } from './ada.ts'
import {
  back,
  expectStep,
  expectThanks,
  field,
  fillAboutYou,
  fillAddress,
  fillAll,
  goTo,
  next,
  send,
} from './fill-steps.ts'
import { heardSteps, test, visit } from './visit.ts'

test('the page can set the step, and hears of every change', async ({ page, email }) => {
  await visit(page, '/business')
  await goTo(page, 3)
  await expectStep(page, 4)
  await goTo(page, 0)
  await expectStep(page, 1)
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await expectStep(page, 2)
  expect(await heardSteps(page)).toEqual([0, 3, 0, 1])
})

test('the page can set the thank-you screen, and no step that does not exist', async ({ page }) => {
  await visit(page, '/business')
  await goTo(page, 5)
  await goTo(page, 1.5)
  await goTo(page, -1)
  await expectStep(page, 1)
  await goTo(page, 4)
  await expectThanks(page)
  expect(await heardSteps(page)).toEqual([0, 4])
})

test('an enquiry that the page sent ahead cannot be sent unanswered', async ({ page }) => {
  await visit(page, '/business')
  await goTo(page, 3)
  await field(page, 'Program').selectOption({ index: 1 })
  await field(page, 'Start date').selectOption({ index: 1 })
  await page.getByRole('checkbox').check()
  await send(page)
  await expectStep(page, 1)
  await expect(field(page, 'First name')).toHaveAccessibleDescription('Enter your first name.')
})

test('every step is broadcast to the end', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAll(page, { ...ada, email })
  await send(page)
  await expectThanks(page)
  expect(await heardSteps(page)).toEqual([0, 1, 2, 3, 4])
})

test("the browser's Back and Forward go from step to step", async ({ page, email }) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await expectStep(page, 2)
  await fillAddress(page, ada)
  await next(page)
  await expectStep(page, 3)

  await page.goBack()
  await expectStep(page, 2)
  await expect(field(page, 'Street address')).toHaveValue(ada.address)
  await page.goBack()
  await expectStep(page, 1)
  await expect(field(page, 'Email')).toHaveValue(email)
  await page.goForward()
  await expectStep(page, 2)
  await page.goForward()
  await expectStep(page, 3)
})

test('Back in the form is Back in the browser', async ({ page, email }) => {
  await page.goto('/information/privacy-policy')
  await visit(page, '/business')
  await expect(page.getByRole('button', { name: 'Back' })).toBeHidden()
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await expectStep(page, 2)
  await back(page)
  await expectStep(page, 1)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeVisible()
})

test('Forward does not lead past a step that needs an answer', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await expectStep(page, 2)
  await page.goBack()
  await expectStep(page, 1)
  await field(page, 'Email').fill('')
  await page.goForward()
  await expectStep(page, 1)
  await expect(field(page, 'First name')).toHaveValue(ada.firstName)
})

test('from the thank-you screen Back does not show the old answers', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAll(page, { ...ada, email })
  await send(page)
  await expectThanks(page)
  await page.goBack()
  await expectStep(page, 1)
  await expect(field(page, 'First name')).toHaveValue('')
  await expect(field(page, 'Email')).toHaveValue('')
  await page.goForward()
  await expectStep(page, 1)
})

test('a visitor who leaves and comes back finds the answers', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email })
  await page.getByRole('link', { name: 'Terms & Conditions' }).click()
  await expect(page.getByRole('heading', { name: 'Terms & Conditions', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(field(page, 'Email')).toHaveValue(email)
  await expect(field(page, 'Phone')).toHaveValue('(941) 555-0100')
})
