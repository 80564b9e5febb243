import { expect, type Page } from '@playwright/test'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { askStore } from '#tests/store/ask-store.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import {
  back,
  expectStep,
  expectThanks,
  field,
  fillAddress,
  fillAll,
  fillProgram,
  fillToStep,
  finishFromEducation,
  next,
  send,
} from './fill-steps.ts'
import { listenIn } from './listen-in.ts'
import { PlainBrowser } from './plain-browser.ts'
import { test as base, untilAlive, visit } from './visit.ts'

const headers = { 'x-forwarded-for': '203.0.113.7' }

const test = base.extend({
  baseURL: async ({ watchedProduct }, use) => use(watchedProduct.url),
  extraHTTPHeaders: headers,
})

const fateOf = async (dataDir: string, email: string) => {
  const rows = await askStore(
    { dataDir },
    `select signals, quarantined_at is not null as quarantined from leads where email = '${email}'`,
  )
  return rows.map(({ signals, quarantined }) => ({ signals, quarantined }))
}

const person = [{ signals: null, quarantined: 0 }]

/** Waits until the form is two seconds old, because the test's own speed is unknown. */
const untilRead = (page: Page) =>
  page.waitForFunction(() => Date.now() - performance.timeOrigin > 2000)

const honeypot = (page: Page) => page.locator('input[name=remarks]')

test.describe('the worker delivers the enquiry of', () => {
  test('somebody whose browser fills in a whole step', async ({ page, watchedProduct, email }) => {
    await visit(page, '/business')
    await untilRead(page)
    // Fills every field at once as autofill does, without key or pointer events.
    await page.evaluate(
      (answers) => {
        for (const [name, value] of Object.entries(answers)) {
          const input = document.querySelector<HTMLInputElement>(`form [name=${name}]`)
          if (input === null) throw new Error(`${name} is not shown`)
          input.value = value
          input.dispatchEvent(new InputEvent('input', { bubbles: true }))
          input.dispatchEvent(new Event('change', { bubbles: true }))
        }
      },
      { firstName: ada.firstName, lastName: ada.lastName, phone: ada.phone, email },
    )
    await next(page)
    await expectStep(page, 2)
    await fillAddress(page, ada)
    await next(page)
    await finishFromEducation(page, ada)
    expect(await fateOf(watchedProduct.dataDir, email)).toEqual(person)
  })

  test('somebody who uses a screen reader, and so no pointer', async ({
    page,
    watchedProduct,
    email,
  }) => {
    await visit(page, '/business')
    await untilRead(page)
    await fillToStep(page, 4, { ...ada, email })
    await fillProgram(page, ada)
    await page.getByRole('button', { name: 'Agree & Continue' }).focus()
    await page.keyboard.press('Enter')
    await expectThanks(page)
    expect(await fateOf(watchedProduct.dataDir, email)).toEqual(person)
  })

  test('somebody who reloads, goes back, and then finishes quickly', async ({
    page,
    watchedProduct,
    email,
  }) => {
    const sent = listenIn(page, '/api/leads')
    await visit(page, '/business')
    await untilRead(page)
    await fillAll(page, { ...ada, email })
    await back(page)
    await expectStep(page, 3)
    await page.reload()
    await untilAlive(page)
    await next(page)
    await expectStep(page, 4)
    await send(page)
    await expectThanks(page)
    expect(sent[0]?.postDataJSON().filledInMs).toBeGreaterThan(2000)
    expect(await fateOf(watchedProduct.dataDir, email)).toEqual(person)
  })

  test('somebody who comes back to the tab after lunch', async ({
    page,
    watchedProduct,
    email,
  }) => {
    await page.clock.install()
    await visit(page, '/business')
    await fillToStep(page, 4, { ...ada, email })
    await page.clock.fastForward('02:00:00')
    await fillProgram(page, ada)
    await send(page)
    await expectThanks(page)
    expect(await fateOf(watchedProduct.dataDir, email)).toEqual(person)
  })

  test('somebody without JavaScript who takes their time', async ({ watchedProduct, email }) => {
    const plain = new PlainBrowser(watchedProduct.url, headers)
    await plain.goto('/business')
    await plain.fillToStep(2, { ...ada, email })
    const answeredAt = Date.now()
    plain.answer('address', ada)
    await plain.press('Next')
    plain.answer('your-education', ada)
    await plain.press('Next')
    plain.answer('program', ada)
    await expect.poll(() => Date.now() - answeredAt).toBeGreaterThan(2000)
    await plain.press('Agree & Continue')
    plain.expectThanks()
    expect(await fateOf(watchedProduct.dataDir, email)).toEqual(person)
  })
})

test('the honeypot field is not visible, announced, focusable or filled by a browser', async ({
  page,
}) => {
  await visit(page, '/business')
  await expect(honeypot(page)).not.toBeInViewport()
  // A search in the page finds hidden text, too.
  await expect(page.getByText('Leave this empty')).toHaveCount(0)
  await expect(honeypot(page)).toHaveAttribute('tabindex', '-1')
  await expect(honeypot(page)).toHaveAttribute('autocomplete', 'off')
  await expect(page.getByRole('textbox')).toHaveCount(4)
  await field(page, 'Email').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeFocused()
})

test('a robot that fills every field reads the thank-you page, and its lead waits for the operator', async ({
  page,
  watchedProduct,
  email,
}) => {
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  await honeypot(page).evaluate((input: HTMLInputElement) => {
    input.value = 'http://buy.example'
  })
  await send(page)
  await expectThanks(page)
  expect(await fateOf(watchedProduct.dataDir, email)).toEqual([
    { signals: '["honeypot-filled"]', quarantined: 1 },
  ])
})

test('on a busy network, the browser does a proof of work in the background, and the lead is delivered', async ({
  page,
  watchedProduct,
  email,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 500,
    counter: 150,
    hmacSignatureSecret: 'ours',
    deriveKey,
  })
  const bodies: { altcha?: string }[] = []
  await page.route('**/api/leads', async (route) => {
    bodies.push(route.request().postDataJSON())
    if (bodies.length > 1) return route.continue()
    await route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      headers: { 'retry-after': '60' },
      json: { type: 'about:blank', title: '', status: 429, detail: '', challenge },
    })
  })
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  const ofTheSolver = () => scripts.filter((path) => /solve-challenge|solver-worker/.test(path))
  expect(ofTheSolver()).toEqual([])
  await send(page)
  await expectThanks(page)
  expect(ofTheSolver()).toHaveLength(2)
  const proof = JSON.parse(Buffer.from(bodies[1]?.altcha ?? '', 'base64').toString())
  expect(proof).toMatchObject({ challenge, solution: { counter: 150 } })
  expect(await fateOf(watchedProduct.dataDir, email)).toEqual(person)
})
