import { expect, type Page } from '@playwright/test'
import { expectAccessibleState } from '#tests/accessibility/expect-accessible.ts'
import { ada } from './ada.ts'
import {
  back,
  expectStep,
  expectThanks,
  field,
  fillAboutYou,
  fillAddress,
  fillAll,
  fillProgram,
  fillToStep,
  fillYourEducation,
  goTo,
  next,
  nextThrough,
  send,
} from './fill-steps.ts'
import { listenIn } from './listen-in.ts'
import { heardSteps, test, untilAlive, visit } from './visit.ts'

/** The step in the browser's history, and the step that the form shows. */
const stepShown = (page: Page) =>
  page.evaluate(() => ({
    entry: history.state.enquiryStep as number,
    form: document.querySelector('form')?.dataset.step,
  }))

test('a script on the page can set the step, and gets an event for every change', async ({
  page,
  email,
}) => {
  await visit(page, '/business')
  await goTo(page, 3)
  await expectStep(page, 4)
  await goTo(page, 0)
  await expectStep(page, 1)
  await fillToStep(page, 2, { ...ada, email })
  expect(await heardSteps(page)).toEqual([0, 3, 0, 1])
})

test('a script on the page can set the thank-you screen, but no step that does not exist', async ({
  page,
}) => {
  await visit(page, '/business')
  await goTo(page, 5)
  await goTo(page, 1.5)
  await goTo(page, -1)
  await expectStep(page, 1)
  await goTo(page, 4)
  await expectThanks(page)
  expect(await heardSteps(page)).toEqual([0, 4])
})

test('an enquiry with missing answers cannot be sent, even if a script moved the form forward', async ({
  page,
}) => {
  await visit(page, '/business')
  await goTo(page, 3)
  await field(page, 'Program').selectOption({ index: 1 })
  await field(page, 'Start date').selectOption({ index: 1 })
  await page.getByRole('checkbox').check()
  await send(page)
  await expectStep(page, 1)
  await expect(field(page, 'First name')).toHaveAccessibleDescription('Enter your first name.')
})

test("the browser's Back and Forward go from step to step", async ({ page, email }) => {
  await visit(page, '/business')
  await fillToStep(page, 3, { ...ada, email })

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

test('Back goes one step, even at the moment when a step appears', async ({ page, email }) => {
  await visit(page, '/business')
  await fillToStep(page, 2, { ...ada, email })
  const wentBack = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        addEventListener('popstate', () => resolve(), { once: true })
        const observer = new MutationObserver(() => {
          if (!document.body.innerText.includes('Step 3 of 4')) return
          observer.disconnect()
          history.back()
        })
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
      }),
  )
  await fillAddress(page, ada)
  await next(page)
  await wentBack
  await expectStep(page, 2)
  await expect(field(page, 'Street address')).toHaveValue(ada.address)
})

test('the form’s Back button does what the browser’s Back does', async ({ page, email }) => {
  await page.goto('/information/privacy-policy')
  await visit(page, '/business')
  await expect(page.getByRole('button', { name: 'Back' })).toBeHidden()
  await fillToStep(page, 2, { ...ada, email })
  await back(page)
  await expectStep(page, 1)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeVisible()
})

test('Forward stops at a step that needs an answer', async ({ page, email }) => {
  await visit(page, '/business')
  await fillToStep(page, 2, { ...ada, email })
  await page.goBack()
  await expectStep(page, 1)
  await field(page, 'Email').fill('')
  await page.goForward()
  await expectStep(page, 1)
  await expect(field(page, 'First name')).toHaveValue(ada.firstName)
})

test('the page fires an event for every step, and the thank-you screen survives Back, Forward and a reload, without the old answers and the pixel', async ({
  page,
  email,
}) => {
  const pixels = listenIn(page, '/pixel/')
  await visit(page, '/business')
  await fillAll(page, { ...ada, email })
  await send(page)
  await expectThanks(page)
  expect(await heardSteps(page)).toEqual([0, 1, 2, 3, 4])
  const reference = (await page.locator('code').textContent()) ?? '-'
  expect(reference).toMatch(/^[2-9CDFGHJKMNPQRTVWX]{8}$/)
  await expect(page.getByText(email)).toBeVisible()

  await page.goBack()
  await expectStep(page, 1)
  await expect(field(page, 'First name')).toHaveValue('')
  await expect(field(page, 'Email')).toHaveValue('')
  await expect(
    page.getByText(`We have received your request (reference ${reference}).`),
  ).toBeVisible()
  await page.goForward()
  await expectThanks(page)
  await expect(page.getByText(reference)).toBeVisible()

  await page.reload()
  await untilAlive(page)
  await expectThanks(page)
  await expect(page.getByText(reference)).toBeVisible()
  await expect(page.getByText(email), 'a reload forgets the answers').toBeHidden()
  await expectAccessibleState(page, 'the thanks after a reload')
  expect(pixels).toHaveLength(1)

  await page.getByRole('link', { name: 'Send another request' }).click()
  await expectStep(page, 1)
  await expect(field(page, 'Email')).toHaveValue('')
  await fillToStep(page, 2, { ...ada, email })
  await page.reload()
  await expectStep(page, 2)
})

test('the thank-you screen stands alone, and another request keeps name, phone, email and address', async ({
  page,
  email,
}) => {
  await visit(page, '/business?program=15')
  await fillAll(page, { ...ada, email })
  await send(page)
  await expectThanks(page)
  await expect(page.getByText(`by phone at (941) 555-0100, or by email at ${email}`)).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: '(800) 555-0142' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Questions to have ready' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to the form' })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'What you get' })).toBeHidden()
  // The page keeps its title for screen readers, cut off for everybody else.
  await expect(page.getByRole('heading', { level: 1 })).not.toBeInViewport()

  await page.getByRole('link', { name: 'Send another request' }).click()
  await expectStep(page, 1)
  await expect(field(page, 'First name')).toHaveValue(ada.firstName)
  await expect(field(page, 'Email')).toHaveValue(email)
  await nextThrough(page, 2)
  await expect(field(page, 'Street address')).toHaveValue(ada.address)
  await nextThrough(page, 3)
  await expect(field(page, 'Graduation year')).toHaveValue('')
})

for (const { call, path, step, to } of [
  { call: 'the address is checked', path: '**/api/zip-lookups/*', step: 2, to: 3 },
  { call: 'the enquiry is sent', path: '**/api/leads', step: 4, to: 5 },
]) {
  test(`after Back while ${call}, step, history and address match`, async ({ page, email }) => {
    const held = Promise.withResolvers<void>()
    await visit(page, '/business')
    await fillToStep(page, 2, { ...ada, email })
    if (step === 4) {
      await fillAddress(page, ada)
      await next(page)
      await fillYourEducation(page, ada)
      await next(page)
      await fillProgram(page, ada)
    }
    await page.route(path, async (route) => {
      await held.promise
      await route.continue()
    })
    if (step === 2) await fillAddress(page, ada)
    await (step === 2 ? next(page) : send(page))
    await expect(page.locator('fieldset:disabled')).toBeVisible()
    const shown = await stepShown(page)
    for (const _ of ['Back', 'and again']) {
      await page.evaluate(() => history.back())
      await expect.poll(() => stepShown(page)).toEqual(shown)
    }
    held.resolve()
    if (to === 5) await expectThanks(page)
    else await expectStep(page, to)
    expect((await stepShown(page)).entry).toBe(to - 1)

    await page.goBack()
    await expectStep(page, to === 5 ? 1 : step)
    await page.goForward()
    if (to === 5) await expectThanks(page)
  })
}

test('a visitor who leaves the site and comes back finds the answers', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email })
  // The first key press loads the script that formats the number.
  await expect(field(page, 'Phone')).toHaveValue('(941) 555-0100')
  await page.getByRole('link', { name: 'Terms & Conditions' }).click()
  await expect(page.getByRole('heading', { name: 'Terms & Conditions', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(field(page, 'Email')).toHaveValue(email)
  await expect(field(page, 'Phone')).toHaveValue('(941) 555-0100')
})
