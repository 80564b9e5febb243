import { expect, type Page } from '@playwright/test'
import { howItFits } from '#tests/accessibility/how-it-fits.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { ada } from './ada.ts'
import { fillAll, send } from './fill-steps.ts'
import { test } from './pictured-test.ts'
import { keepToasts, toast } from './toast.ts'
import { test as siteTest, visit } from './visit.ts'

const phone = { width: 375, height: 740 }

/** As the browser's own setting does: media queries see it, too. */
async function enlarge(page: Page) {
  await page.setViewportSize(phone)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** The pages are behind a button, by keyboard as well, and what one came for is in sight. */
async function goesOnByMenu(page: Page) {
  const { y } = (await heading(page).boundingBox()) ?? { y: phone.height }
  expect(y).toBeLessThan(phone.height / 4)
  const leads = page.getByRole('link', { name: 'Leads', exact: true })
  await expect(leads).toBeHidden()
  await button(page, 'Menu').focus()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Sign out')).toBeVisible()
  const whoIsSignedIn = page.getByRole('link', { name: 'demo@example.com' })
  const cutOff = await whoIsSignedIn.evaluate((link) => link.scrollWidth - link.clientWidth)
  expect(cutOff, 'pixels of who is signed in').toBe(0)
  await page.keyboard.press('Escape')
  await expect(leads).toBeHidden()
  await expect(button(page, 'Menu')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(leads).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Leads')
  await button(page, 'Menu').click()
  await button(page, 'Close the menu').click()
  await expect(leads).toBeHidden()
}

test('with type twice as large on a phone the pages fold behind a button, and the page is seen', async ({
  page,
  browser,
}) => {
  const product = await startProcess()
  try {
    await page.goto(product.consoleLink)
    await enlarge(page)
    await goesOnByMenu(page)

    const plain = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    })
    const other = await plain.newPage()
    await enlarge(other)
    await other.goto(new URL('/', page.url()).href)
    await goesOnByMenu(other)
    await plain.close()
  } finally {
    await product.stop()
  }
})

siteTest(
  'with type twice as large on a phone the toast keeps its close button on the page',
  async ({ page, email }) => {
    await visit(page, '/business')
    await fillAll(page, { ...ada, email })
    await page.route('**/api/leads', (route) => route.fulfill({ status: 503, body: '{}' }))
    await keepToasts(page)
    await send(page)
    await expect(toast(page)).toBeVisible()
    await enlarge(page)
    expect(await page.evaluate(howItFits, '')).toEqual({ tooWide: 0, covered: [], tooSmall: [] })
  },
)
