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

// The tests run one after the other, because they share a product.
test.describe.configure({ mode: 'default' })

let product: RunningProduct
test.beforeAll(async () => {
  product = await startProcess({ DELIVERY_RETRY_SCHEDULE: schedule })
})
test.afterAll(() => product.stop())

const distributor = (page: Page) => page.getByRole('group', { name: 'Lead distributor' })

async function switchTo(page: Page, answer: string) {
  await distributor(page).getByLabel('Answer with').selectOption({ label: answer })
  await distributor(page).getByRole('button', { name: 'Switch' }).click()
  await expect(distributor(page)).toContainText(`${answer}, for every call`)
}

const backToNormal = async (page: Page) => {
  await distributor(page).getByLabel('Answer with').selectOption({ label: 'normally' })
  await distributor(page).getByRole('button', { name: 'Switch' }).click()
  await expect(distributor(page)).toContainText('answers normally')
}

const rows = (page: Page, words: RegExp) =>
  page.getByRole('table', { name: 'The last 50' }).getByRole('row', { name: words })

/** Reloads until at least as many rows match. */
const expectRows = (page: Page, words: RegExp, count = 1) =>
  expect(async () => {
    await page.getByRole('link', { name: 'Reload to see new leads' }).click()
    await expect(rows(page, words).nth(count - 1)).toBeVisible({ timeout: 500 })
  }).toPass()

test.describe('360 pixels wide', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('no engine finds an error, everything fits, and nothing covers anything else', async ({
    page,
  }) => {
    const visitor = await apiVisitor(product.url)
    for (const lastName of ['Sandbox-Cap', `${'Wolfeschlegelsteinhausen'.repeat(3)}`]) {
      await visitor.post('leads', exampleLead({ lastName }), newKey())
    }
    await page.goto(product.sandboxUrl)
    await switchTo(page, 'failure: invalid fields, in reason by field, reasons[] and errors[]')
    for (const more of await page.getByText(/^Arrival \d+ as received/).all()) await more.click()
    await look(page, 'the sandbox')
  })
})

test('an operator lets the distributor fail, watches the attempts, and sees the waiting leads arrive', async ({
  context,
}) => {
  const sandbox = await context.newPage()
  await sandbox.goto(product.sandboxUrl)
  await switchTo(sandbox, 'HTTP 502 with an HTML page')

  const site = await context.newPage()
  await site.goto(`${product.url}/business`)
  await fillAll(site, { ...ada, email: 'ada@example.com' })
  await send(site)
  await expectThanks(site)

  await expectRows(sandbox, /Ada Lovelace.*HTTP 502/, 2)
  await sandbox
    .getByText(/^Arrival \d+ as received/)
    .first()
    .click()
  await expect(sandbox.locator('details[open]')).toContainText(/"idempotency-key": "[\da-f-]{36}"/)

  const visitor = await apiVisitor(product.url)
  for (const lastName of ['Backlog-One', 'Backlog-Two', 'Backlog-Three']) {
    await visitor.post('leads', exampleLead({ lastName }), newKey())
  }
  await backToNormal(sandbox)
  for (const name of ['Ada Lovelace', 'Backlog-One', 'Backlog-Two', 'Backlog-Three']) {
    await expectRows(sandbox, new RegExp(`${name}.*HTTP 200`))
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the switches work, and new requests appear after a reload', async ({ page }) => {
    await page.goto(product.sandboxUrl)
    await switchTo(page, 'HTTP 401')
    const visitor = await apiVisitor(product.url)
    await visitor.post('leads', exampleLead(), newKey())
    await expectRows(page, /Zoë O'Neill.*HTTP 401/)
    await backToNormal(page)
  })
})
