import { expect, type Page } from '@playwright/test'
import { expectAccessibleState } from '#tests/accessibility/expect-accessible.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { test } from './pictured-test.ts'

let product: RunningProduct
test.beforeAll(async () => {
  product = await startProcess({ DELIVERY_RETRY_SCHEDULE: '1h' })
})
test.afterAll(() => product.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const main = (page: Page) => page.getByRole('main')

/** Sends an enquiry, and resolves with the reference that the visitor sees. */
async function enquire(lead: Parameters<typeof exampleLead>[0]): Promise<string> {
  const visitor = await apiVisitor(product.url)
  const reply = await visitor.post('leads', exampleLead(lead), newKey())
  return (await reply.json()).id
}

test('an operator finds the cause, pauses deliveries and resumes them', async ({
  page,
  browser,
}) => {
  await page.goto(product.consoleLink)
  await page.getByRole('link', { name: 'Deliveries' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Deliveries')
  await expect(main(page)).toContainText('Deliveries are running')
  await expect(main(page)).toContainText('No errors')
  await expectAccessibleState(page, 'Deliveries, none')

  // The page updates by itself, and open details stay open.
  await page.locator('summary', { hasText: 'Delivery results' }).click()
  const id = await enquire({ lastName: 'Sandbox-Cap', email: 'ada@example.com' })
  await enquire({ lastName: 'Sandbox-Fail500', email: 'bo@example.com' })
  const errors = page.getByRole('table', { name: 'Errors' })
  const rejections = page.getByRole('table', { name: 'Rejections' })
  await expect(errors.getByRole('row')).toHaveCount(2)
  await expect(rejections.getByRole('row')).toHaveCount(2)
  await expect(rejections).toContainText('Reached the monthly offer cap for program')
  await expect(page.getByRole('figure', { name: 'Attempts' })).toContainText('rejected 1')
  await expect(main(page)).toContainText(/calls to the distributor: median \d/)
  // In any row, because the next interval may have begun.
  const table = page.getByRole('table', { name: 'Delivery results' })
  await expect(table.getByRole('cell', { name: '1', exact: true }).first()).toBeVisible()

  await page.getByLabel('Reason', { exact: true }).fill('x'.repeat(201))
  await button(page, 'Pause').click()
  await expect(page.getByRole('link', { name: 'Use 200 characters or fewer' })).toBeVisible()
  await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('x'.repeat(201))
  await expectAccessibleState(page, 'Deliveries, a reason that is too long', 'main')
  await page.getByLabel('Reason', { exact: true }).fill('their maintenance')
  await button(page, 'Pause').click()
  await expect(page.getByText('Deliveries are paused', { exact: true })).toBeVisible()
  await expect(main(page)).toContainText('paused by demo@example.com (their maintenance)')
  await page.getByLabel('Reason', { exact: true }).fill('it is over')
  await button(page, 'Resume').click()
  await expect(page.getByRole('heading', { name: 'Deliveries are running' })).toBeVisible()

  await rejections.getByRole('link', { name: '1', exact: true }).last().click()
  await expect(page.getByRole('table', { name: 'Leads' }).locator('tbody tr')).toHaveCount(1)
  await page.goBack()
  await rejections
    .getByRole('row', { name: /monthly cap reached/ })
    .getByRole('link')
    .last()
    .click()
  await expect(page).toHaveURL(/\/jobs\/new\?error=cap.*&status=rejected/)
  await page.goto(`${new URL(product.consoleLink).origin}/leads/${id}`)
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Attempt 1')

  // With forced colors, every bar and line is still visible.
  await page.goto(`${new URL(product.consoleLink).origin}/deliveries`)
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' })
  await expect(page.locator('rect').first()).toHaveCSS('fill', 'rgb(0, 0, 0)')

  const cookies = await page.context().cookies()
  const plain = await browser.newContext({ javaScriptEnabled: false })
  await plain.addCookies(cookies)
  const without = await plain.newPage()
  await without.goto(page.url())
  await without.getByLabel('Reason', { exact: true }).fill('by hand')
  await button(without, 'Pause').click()
  await expect(without.getByText('Deliveries are paused', { exact: true })).toBeVisible()
  await without.reload()
  await expect(without.getByText('Deliveries are paused', { exact: true })).toHaveCount(0)
  await button(without, 'Resume').click()
  await expect(without.getByRole('heading', { name: 'Deliveries are running' })).toBeVisible()
})
