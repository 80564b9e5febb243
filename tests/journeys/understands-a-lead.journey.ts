import { expect, type Page } from '@playwright/test'
import { lookAtState } from '#tests/accessibility/look.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { test } from './pictured-test.ts'

// The tests run one after the other, because they share a product.
test.describe.configure({ mode: 'default' })

let product: RunningProduct
test.beforeAll(async () => {
  product = await startProcess({ DELIVERY_RETRY_SCHEDULE: '1200ms' })
})
test.afterAll(() => product.stop())

/** Each start prints a link that signs in once, so the tests share its cookies. */
let cookies: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>
test.beforeEach(async ({ context, page }) => {
  if (cookies === undefined) {
    await page.goto(product.consoleLink)
    cookies = await context.cookies()
  }
  await context.addCookies(cookies)
})

/** Sends an enquiry, and resolves with the reference that the visitor sees. */
async function enquire(lead: Parameters<typeof exampleLead>[0]): Promise<string> {
  const visitor = await apiVisitor(product.url)
  const reply = await visitor.post('leads', exampleLead(lead), newKey())
  return (await reply.json()).id
}

const desk = () => new URL(product.consoleLink).origin
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const timeline = (page: Page) => page.getByRole('list', { name: 'Timeline' })

/** Reloads the page until it shows the text, like an operator without scripts. */
const untilItSays = (page: Page, words: string) =>
  expect(async () => {
    await page.reload()
    await expect(page.getByRole('main')).toContainText(words, { timeout: 200 })
  }).toPass()

const leadOf = (page: Page, id: string) => page.locator(`a[href="/leads/${id}"]`)

test('an operator finds out why a lead is dead, reveals it and tries again', async ({ page }) => {
  const email = 'grace@example.com'
  const id = await enquire({ email, lastName: 'Sandbox-FailTwice' })
  await page.goto(`${desk()}/`)
  await leadOf(page, id).click()
  await untilItSays(page, 'Failed: no further attempts')
  await expect(page).toHaveTitle('Lead | Campus Enquiry console')
  await expect(timeline(page)).toContainText(
    /Attempt 1:.*HTTP 500, the distributor failed.*Attempt 2:/s,
  )
  await expect(page.getByText(email)).toHaveCount(0)

  await button(page, 'Reveal').click()
  await expect(page.getByText(email, { exact: true })).toBeVisible()
  await page.getByText('As sent to the distributor').click()
  await expect(page.getByText('"firstname": "Zoë"')).toBeVisible()
  await lookAtState(page, 'a lead that is revealed')
  await page.getByRole('link', { name: 'Hide the person’s data again' }).click()
  await expect(page.getByText(email)).toHaveCount(0)
  await expect(timeline(page)).toContainText('revealed a lead')

  await button(page, 'Settle').click()
  await expect(page.getByRole('radio', { name: 'The distributor has this lead' })).toBeVisible()
  await page.getByRole('link', { name: 'Cancel' }).click()

  await button(page, 'Retry').click()
  await expect(page.getByText('The status was “failed” before.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('The status was “failed” before.')).toHaveCount(0)
  await expect(timeline(page)).toContainText(/retried a delivery.*due at once/s)
})

test('an admin confirms, erases a lead, and sees what is left', async ({ page }) => {
  const id = await enquire({ email: 'ada@example.com' })
  await page.goto(`${desk()}/leads/${id}`)
  await untilItSays(page, 'accepted')
  await button(page, 'Erase').click()
  await expect(page.getByText('Ask the distributor to erase its copy')).toBeVisible()
  await page.getByLabel('Reason').fill('asked by letter')
  await button(page, 'Erase permanently').click()
  await expect(page.getByText('The person’s data is erased')).toBeVisible()
  await expect(page.getByText('Erased on request', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Reveal|Retry|Release|^Erase/ })).toHaveCount(0)
  await lookAtState(page, 'an erased lead')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('pages and actions work, with times in the school’s zone', async ({ page }) => {
    const id = await enquire({ email: 'bo@example.com', lastName: 'Sandbox-Cap' })
    await page.goto(`${desk()}/leads/${id}`)
    await untilItSays(page, 'monthly cap reached')
    await expect(timeline(page).locator('time[datetime*="T"][title$=":00"]').first()).toBeVisible()
    await expect(page.getByText('time zone, America/New_York')).toHaveCount(1)
    await button(page, 'Retry').click()
    await expect(page.getByText('The status was “rejected” before.')).toBeVisible()
    await button(page, 'Reveal').click()
    await expect(page.getByText('bo@example.com', { exact: true })).toBeVisible()
  })
})
