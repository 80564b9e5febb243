import { expect, type Page } from '@playwright/test'
import { look } from '#tests/accessibility/look.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { ada } from './ada.ts'
import { expectThanks, fillAll, send } from './fill-steps.ts'
import { test } from './pictured-test.ts'

/** Retries that last longer than the journey, and slowly enough that an open entry stays among the last 50 for minutes. */
const schedule = ['500ms', ...Array.from({ length: 100 }, () => '3s')].join()

let product: RunningProduct
test.beforeEach(async () => {
  product = await startProcess({ DELIVERY_RETRY_SCHEDULE: schedule })
})
test.afterEach(() => product.stop())

const distributor = (page: Page) => page.getByRole('group', { name: 'Lead distributor' })

async function switchTo(page: Page, answer: string) {
  await distributor(page).getByLabel('Answer with').selectOption({ label: answer })
  await distributor(page).getByRole('button', { name: 'Switch' }).click()
  await expect(distributor(page)).toContainText(`${answer}, for every call`)
}

const backToNormal = async (page: Page) => {
  await distributor(page).getByRole('button', { name: 'Back to normal' }).click()
  await expect(distributor(page)).toContainText('answers normally')
}

const rows = (page: Page, words: RegExp) =>
  page.getByRole('table', { name: 'The last 50' }).getByRole('row', { name: words })

test('an operator lets the distributor fail, watches the tries, and sees what waited arrive', async ({
  context,
}) => {
  const sandbox = await context.newPage()
  await sandbox.goto(product.sandboxUrl)
  await expect(sandbox.getByText('Live: new calls appear here')).toBeVisible()
  await switchTo(sandbox, 'HTTP 502 with an HTML page')

  const site = await context.newPage()
  await site.goto(`${product.url}/business`)
  await fillAll(site, { ...ada, email: 'ada@example.com' })
  await send(site)
  await expectThanks(site)

  // Without a reload, the second page shows new tries.
  const tries = rows(sandbox, /Ada Lovelace.*HTTP 502/)
  await expect(tries.nth(1)).toBeVisible()
  await sandbox
    .getByText(/^As received/)
    .first()
    .click()
  await expect(sandbox.locator('details[open] dl')).toContainText(/idempotency-key: [\da-f-]{36}/)

  const visitor = await apiVisitor(product.url)
  for (const lastName of ['Backlog-One', 'Backlog-Two', 'Backlog-Three']) {
    await visitor.post('leads', exampleLead({ lastName }), newKey())
  }
  await expect(sandbox.getByText('arrivals of 4 leads')).toBeVisible()
  await expect(sandbox.locator('details[open] dl')).toHaveCount(1)

  await backToNormal(sandbox)
  for (const name of [/Ada Lovelace.*success/, /One.*success/, /Two.*success/, /Three.*success/]) {
    await expect(rows(sandbox, name)).toHaveCount(1)
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the switches work, and new requests appear after a reload', async ({ page }) => {
    await page.goto(product.sandboxUrl)
    await switchTo(page, 'HTTP 401')
    const visitor = await apiVisitor(product.url)
    await visitor.post('leads', exampleLead(), newKey())
    await expect(async () => {
      await page.getByRole('link', { name: 'Reload to see new calls' }).click()
      await expect(rows(page, /Zoë O'Neill.*HTTP 401/)).toHaveCount(1, { timeout: 500 })
    }).toPass()
    await backToNormal(page)
  })
})

test.describe('360 pixels wide', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('no engine finds anything, everything fits and nothing is covered', async ({ page }) => {
    const visitor = await apiVisitor(product.url)
    for (const lastName of ['Sandbox-Cap', `${'Wolfeschlegelsteinhausen'.repeat(3)}`]) {
      await visitor.post('leads', exampleLead({ lastName }), newKey())
    }
    await visitor.get('zip-lookups/99989')
    await page.goto(product.sandboxUrl)
    await switchTo(page, 'HTTP 429 with Retry-After as a date, 10 s ahead')
    await expect(page.getByText('Live: new calls appear here')).toBeVisible()
    for (const more of await page.getByText(/^As received|^The lookups/).all()) await more.click()
    await look(page, 'the sandbox')
  })
})
