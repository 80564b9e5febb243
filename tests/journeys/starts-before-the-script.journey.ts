import { expect, type Page } from '@playwright/test'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import {
  expectStep,
  expectThanks,
  field,
  fillAboutYou,
  fillAddress,
  fillAll,
  fillProgram,
  fillYourEducation,
  next,
  send,
} from './fill-steps.ts'
import { holdScripts } from './hold-scripts.ts'
import { test, untilAlive } from './visit.ts'

test('text typed before the script loads is kept', async ({ page, email }) => {
  const release = await holdScripts(page)
  await page.goto('/business', { waitUntil: 'commit' })
  await fillAboutYou(page, { ...ada, email })
  release()
  await untilAlive(page)
  await expect(field(page, 'First name')).toHaveValue(ada.firstName)
  await expect(field(page, 'Last name')).toHaveValue(ada.lastName)
  await expect(field(page, 'Email')).toHaveValue(email)
  await expect(field(page, 'Phone')).toHaveValue(/941.*555.*0100/)
  await next(page)
  await expectStep(page, 2)
  await page.goBack()
  await expectStep(page, 1)
  await expect(field(page, 'Phone')).toHaveValue('(941) 555-0100')
  await expect(field(page, 'Email')).toHaveValue(email)
})

test('a step posted before the script loads continues the same enquiry', async ({
  page,
  product,
  email,
}) => {
  const release = await holdScripts(page)
  await page.goto('/business', { waitUntil: 'commit' })
  await fillAboutYou(page, { ...ada, email })
  const posted = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Next' }).click({ noWaitAfter: true })
  expect(new URL((await posted).url()).pathname).toBe('/business')
  await expectStep(page, 2)
  const key = await page.locator('form input[name=key]').inputValue()
  release()
  await untilAlive(page)
  await fillAddress(page, ada)
  await next(page)
  await expectStep(page, 3)
  await fillYourEducation(page, ada)
  await next(page)
  await expectStep(page, 4)
  await fillProgram(page, ada)
  const sent = page.waitForRequest('**/api/leads')
  await send(page)
  await expectThanks(page)
  expect(key).toMatch(/^[\da-f-]{36}$/)
  expect((await sent).headers()['idempotency-key']).toBe(key)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { idempotencyKey: key, payload: { firstName: ada.firstName, city: 'Sarasota' } },
  ])
})

test('a reload after a posted step keeps the newest answers', async ({ page, email }) => {
  const release = await holdScripts(page)
  await page.goto('/business', { waitUntil: 'commit' })
  await fillAboutYou(page, { ...ada, email })
  await page.getByRole('button', { name: 'Next' }).click({ noWaitAfter: true })
  await expectStep(page, 2)
  release()
  await untilAlive(page)
  await fillAddress(page, ada)

  // The browser repeats the earlier step's POST, and gets a page with the old answers.
  await page.reload()
  await untilAlive(page)
  await expectStep(page, 2)
  await expect(field(page, 'Street address')).toHaveValue(ada.address)
  await expect(field(page, 'ZIP code')).toHaveValue(ada.zip)
  await next(page)
  await expectStep(page, 3)
  await fillYourEducation(page, ada)

  await page.reload()
  await untilAlive(page)
  await expectStep(page, 3)
  await expect(field(page, 'Graduation year')).toHaveValue(ada.graduationYear)
  await page.getByRole('button', { name: 'Back' }).click()
  await expectStep(page, 2)
  await expect(field(page, 'ZIP code')).toHaveValue(ada.zip)
  await page.getByRole('button', { name: 'Back' }).click()
  await expectStep(page, 1)
  await expect(field(page, 'Email')).toHaveValue(email)
})

for (const { trouble, told, make } of [
  {
    trouble: 'whose browser takes no cookies',
    told: 'no cookie was kept',
    make: (page: Page) =>
      page.addInitScript(() => {
        Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined })
      }),
  },
  {
    trouble: 'whom the script does not reach',
    told: 'Failed to fetch dynamically imported module',
    make: (page: Page) => page.route('**/assets/hydrate-*.js', (route) => route.abort()),
  },
]) {
  test(`a visitor ${trouble} can enquire with posted forms, and the browser’s console says why`, async ({
    page,
    product,
    email,
  }) => {
    const errors: string[] = []
    page.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
    await make(page)
    await page.goto('/business')
    await expect.poll(() => errors.join()).toContain(told)
    for (const label of ['First name', 'Last name', 'Phone', 'Email', 'First name', 'Phone']) {
      await field(page, label).focus()
      await page.evaluate(() => fetch('/healthz').then((reply) => reply.text()))
    }
    expect(errors.filter((text) => text.includes(told)).length).toBeLessThanOrEqual(3)
    await fillAll(page, { ...ada, email })
    await send(page)
    await expectThanks(page)
    expect(storedLeads(product.dataDir, email)).toHaveLength(1)
  })
}

test('the script handles a question about the address that came with the page', async ({
  page,
  email,
}) => {
  const release = await holdScripts(page)
  await page.goto('/business', { waitUntil: 'commit' })
  await fillAboutYou(page, { ...ada, email })
  await page.getByRole('button', { name: 'Next' }).click({ noWaitAfter: true })
  await expectStep(page, 2)
  await fillAddress(page, { ...ada, address: '1 REPLACE St' })
  await page.getByRole('button', { name: 'Next' }).click({ noWaitAfter: true })
  const question = page.getByRole('group', { name: 'Did you mean 1 Replaced St?' })
  await expect(question).toBeVisible()
  release()
  await untilAlive(page)
  await expect(question).toBeFocused()
  await page.getByRole('button', { name: 'Use 1 Replaced St' }).click()
  await expectStep(page, 3)
  await page.goBack()
  await expect(field(page, 'Street address')).toHaveValue('1 Replaced St')
})
