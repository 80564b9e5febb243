import { expect, type Page } from '@playwright/test'
import { howItFits } from '#tests/accessibility/how-it-fits.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { fillProgram, send } from './fill-steps.ts'
import { test } from './pictured-test.ts'
import { keepToasts, toast } from './toast.ts'
import { test as siteTest } from './visit.ts'

const phone = { width: 375, height: 740 }

/** Enlarges text like the browser's own setting, which also affects media queries. */
async function enlarge(page: Page) {
  await page.setViewportSize(phone)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Expects that the navigation is one row that scrolls, with the keyboard as well, and that the heading is visible. */
async function expectOneRow(page: Page) {
  const { y } = (await heading(page).boundingBox()) ?? { y: phone.height }
  expect(y).toBeLessThan(phone.height / 4)
  const account = page.getByRole('link', { name: 'demo@example.com' })
  await account.focus()
  await expect(account).toBeInViewport()
  const leads = page.getByRole('link', { name: 'Leads', exact: true })
  await leads.focus()
  await expect(leads).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Leads')
}

test('on a phone with text twice as large, the console’s links are one row, and the page is in view', async ({
  page,
  browser,
}) => {
  const product = await startProcess()
  try {
    await page.goto(product.consoleLink)
    await enlarge(page)
    await expectOneRow(page)

    const plain = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    })
    const other = await plain.newPage()
    await enlarge(other)
    await other.goto(new URL('/', page.url()).href)
    await expectOneRow(other)
    await plain.close()
  } finally {
    await product.stop()
  }
})

siteTest(
  'with type twice as large on a phone the toast keeps its close button on the page',
  async ({ page, email }) => {
    await comeBackTo(page, 4, '/business', { ...ada, email })
    await fillProgram(page, ada)
    await page.route('**/api/leads', (route) => route.fulfill({ status: 503, body: '{}' }))
    await keepToasts(page)
    await send(page)
    await expect(toast(page)).toBeVisible()
    await enlarge(page)
    expect(await page.evaluate(howItFits, '')).toEqual({ tooWide: 0, covered: [], tooSmall: [] })
  },
)
