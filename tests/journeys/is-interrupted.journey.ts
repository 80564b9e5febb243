import { expect, type Page } from '@playwright/test'
import { formatRateLimitMessage } from '#content/messages.ts'
import { toReference } from '#domain/lead/reference.ts'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { expectAttention } from './expect-attention.ts'
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
  next,
  nextThrough,
  send,
} from './fill-steps.ts'
import { listenIn } from './listen-in.ts'
import { keepToasts, toast, twin } from './toast.ts'
import { test, untilAlive, visit } from './visit.ts'

const summary = 'Unable to Submit Information'
const detail =
  'There was an error submitting your information. Please check the information entered and try again.'

const keyOf = (page: Page) => page.locator('form input[name=key]').inputValue()

async function reload(page: Page) {
  await page.reload()
  await untilAlive(page)
}

/** Fills the server's form of the first step before the script starts, as Firefox does on a reload. */
const bringBackAsFirefox = (page: Page, email: string) =>
  page.addInitScript((value) => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    if (navigation?.type === 'navigate') return
    new MutationObserver((_, observer) => {
      const old = document.querySelector<HTMLInputElement>('form input[name=email]')
      if (!old) return
      observer.disconnect()
      old.value = value
    }).observe(document, { childList: true, subtree: true })
  }, email)

test('a reload keeps the step, the answers and the enquiry', async ({ page, product, email }) => {
  const sent = listenIn(page, '/api/leads')
  await visit(page, '/business')
  await field(page, 'First name').fill(ada.firstName)

  await reload(page)
  await expectStep(page, 1)
  await expect(field(page, 'First name')).toHaveValue(ada.firstName)
  await fillToStep(page, 3, { ...ada, email })
  await fillYourEducation(page, ada)
  const key = await keyOf(page)

  await reload(page)
  await expectStep(page, 3)
  await expect(field(page, 'Education level')).toHaveValue('791')
  await expect(field(page, 'Graduation year')).toHaveValue(ada.graduationYear)
  await next(page)
  await expectStep(page, 4)
  await fillProgram(page, ada)

  await reload(page)
  await expectStep(page, 4)
  await expect(field(page, 'Program')).toHaveValue('8')
  await expect(field(page, 'Start date')).toHaveValue('immediately')
  await expect(page.getByRole('checkbox')).toBeChecked()
  await send(page)
  await expectThanks(page)
  expect(key).toMatch(/^[\da-f-]{36}$/)
  expect(sent.map((request) => request.headers()['idempotency-key'])).toEqual([key])
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { idempotencyKey: key, payload: { firstName: ada.firstName, zip: ada.zip } },
  ])
})

test('a reload with another consent text asks for the agreement again', async ({ page, email }) => {
  await visit(page, '/business')
  await fillToStep(page, 4, { ...ada, email })
  await fillProgram(page, ada)
  const shown = await page.locator('input[name=disclosure]').inputValue()
  await page.route('**/business', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(shown, '0123456789abcdef')
    await route.fulfill({ response, body })
  })

  await reload(page)
  await expectStep(page, 4)
  await expect(field(page, 'Program')).toHaveValue('8')
  await expect(page.getByRole('checkbox')).not.toBeChecked()
})

test('a value that the browser restores does not count as typed', async ({ page, email }) => {
  await visit(page, '/business')
  await fillToStep(page, 2, { ...ada, email })
  await fillAddress(page, ada)
  await bringBackAsFirefox(page, 'mistyped@example.com')

  await reload(page)
  await expectStep(page, 2)
  await expect(field(page, 'ZIP code')).toHaveValue(ada.zip)
  await back(page)
  await expectStep(page, 1)
  await expect(field(page, 'Email')).toHaveValue(email)
})

test('after the visitor sends the enquiry, the tab keeps none of its answers', async ({
  page,
  email,
}) => {
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  const keptAtThanks = await page.evaluateHandle(() => {
    const seen: string[] = []
    new MutationObserver((_, observer) => {
      if (!document.body.textContent.includes('Information Received')) return
      observer.disconnect()
      seen.push(JSON.stringify({ ...sessionStorage }))
    }).observe(document.body, { childList: true, subtree: true })
    return seen
  })
  await send(page)
  await expectThanks(page)
  const [atOnce] = await keptAtThanks.jsonValue()
  expect(atOnce).toContain('enquiry-sent')
  expect(atOnce).not.toContain(email)
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))
  expect(kept).not.toContain(email)
  await visit(page, '/business')
  await expectStep(page, 1)
  await expect(field(page, 'Email')).toHaveValue('')
})

test('Firefox restores nothing of a sent enquiry for the next visitor', async ({ page, email }) => {
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  await send(page)
  await expectThanks(page)
  await bringBackAsFirefox(page, email)
  await reload(page)
  await expectThanks(page)
  await page.goBack()
  await expectStep(page, 1)
  await expect(field(page, 'Email')).toHaveValue('')
  await visit(page, '/healthcare')
  await expect(field(page, 'Email')).toHaveValue('')
})

test('two clicks at once give one lead and one request', async ({ page, product, email }) => {
  const sent = listenIn(page, '/api/leads')
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  await page.getByRole('button', { name: 'Agree & Continue' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await expectThanks(page)
  expect(sent).toHaveLength(1)
  expect(storedLeads(product.dataDir, email)).toHaveLength(1)
  expect(await arrivals(product.sandboxUrl, email)).toMatchObject([{ countForLead: 1 }])
})

test('two clicks at once on Next go one step', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email })
  await page.getByRole('button', { name: 'Next' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await expectStep(page, 2)
  await expect(field(page, 'Street address')).not.toHaveAttribute('aria-invalid', 'true')
  await page.goBack()
  await expectStep(page, 1)
})

test('the visitor can repeat a failed submission, and sends one lead', async ({
  page,
  product,
  email,
}) => {
  const sent = listenIn(page, '/api/leads')
  await page.clock.install()
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)

  await page.route('**/api/leads', (route) => route.abort())
  await page.clock.pauseAt(Date.now() + 60_000)
  await send(page)
  await expect(toast(page)).toContainText(summary)
  await expect(toast(page)).toContainText(detail)
  await expect(page.getByText(detail)).toHaveCount(1)
  await expect(twin(page)).toHaveCount(0)
  // A toast is shown for 3 seconds.
  await page.clock.runFor(2900)
  await expect(toast(page)).toBeVisible()
  await page.getByRole('button', { name: 'Close message' }).focus()
  await page.clock.runFor(200)
  await expect(toast(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Agree & Continue' })).toBeFocused()
  await expect(page.getByRole('alert')).toHaveText(/We could not send your request/)
  await expect(field(page, 'Program')).toBeEnabled()
  await expect(field(page, 'Program')).toHaveValue('8')
  await expect(page.getByRole('checkbox')).toBeChecked()

  await page.unroute('**/api/leads')
  await page.route('**/api/leads', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await send(page)
  await expect(toast(page)).toContainText(summary)
  await expect(page.getByRole('alert')).toHaveText(/The problem is on our side/)
  await expect(toast(page)).not.toContainText('our side')

  await page.unroute('**/api/leads')
  await page.route('**/api/leads', (route) =>
    route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      body: JSON.stringify({ detail: formatRateLimitMessage(150) }),
    }),
  )
  await send(page)
  await expect(page.getByRole('alert')).toContainText(summary)
  await expect(page.getByRole('alert')).toContainText('Please try again in 3 minutes')
  await expect(page.getByText('Please try again in 3 minutes')).toHaveCount(1)
  // After a long wait, the visitor gets as long to read the message.
  await page.clock.runFor(10_000)
  await expect(toast(page)).toBeVisible()
  await expect(field(page, 'Program')).toHaveValue('8')

  await page.unroute('**/api/leads')
  await send(page)
  await expectThanks(page)
  await expect(toast(page)).toBeHidden()
  const keys = sent.map((request) => request.headers()['idempotency-key'])
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(1)
  expect(storedLeads(product.dataDir, email)).toMatchObject([{ idempotencyKey: keys[0] }])
})

test('a correction after a lost reply becomes a second lead, which is also delivered', async ({
  page,
  product,
  email,
}) => {
  await visit(page, '/business')
  await fillAll(page, { ...ada, email })
  await page.route('**/api/leads', async (route) => {
    const reply = await route.fetch()
    expect(reply.status()).toBe(201)
    await route.abort()
  })
  await keepToasts(page)
  await send(page)
  await expect(toast(page)).toContainText(detail)
  await page.clock.resume()
  await page.unroute('**/api/leads')

  for (const step of [3, 2, 1]) {
    await back(page)
    await expectStep(page, step)
  }
  await field(page, 'Phone').fill('(941) 555-0199')
  await nextThrough(page, 2, 3, 4)
  await send(page)
  await expectThanks(page)
  const [first, mended, ...others] = storedLeads(product.dataDir, email)
  expect(others).toEqual([])
  expect([first?.payload.phone, mended?.payload.phone]).toEqual(['9415550100', '9415550199'])
  expect(mended?.corrects).toBe(first?.id)
  await expect(page.getByText(toReference(mended?.id ?? ''))).toBeVisible()
  const sent = await arrivals(product.sandboxUrl, email, 2)
  expect(sent.map(({ body }) => body.lead.phone1).toSorted()).toEqual(['9415550100', '9415550199'])
})

test('the form shows a value that the server refused on its step, at its field', async ({
  page,
  email,
}) => {
  await page.route('**/api/leads', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({ errors: [{ field: 'email', message: 'Enter another address.' }] }),
    }),
  )
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  await keepToasts(page)
  await send(page)
  await expectStep(page, 1)
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Enter another address.')
  await expect(toast(page)).toContainText(summary)
  await expect(page).toHaveTitle(/^Error: /)
  // The focus moves after the next paint, but the page's clock is paused.
  await page.clock.resume()
  await expectAttention(page, field(page, 'Email'))
})
