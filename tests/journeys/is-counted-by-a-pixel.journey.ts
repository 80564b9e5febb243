import { expect, type Page } from '@playwright/test'
import { doNotSellNotice } from '#content/messages.ts'
import { expectAccessibleState } from '#tests/accessibility/expect-accessible.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { expectThanks, fillAll, fillProgram, send } from './fill-steps.ts'
import { PlainBrowser } from './plain-browser.ts'
import { test } from './visit.ts'

/** Collects every address outside the site that the page requests from now on. */
function listenForOthers(page: Page, siteUrl: string): string[] {
  const others: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (url.startsWith('http') && !url.startsWith(`${siteUrl}/`)) others.push(url)
  })
  return others
}

const nurse = {
  ...ada,
  educationLevel: 'Associate degree',
  program: 'B.S. Nursing (RN to BSN)',
}
const engineer = { ...ada, program: 'B.S. Software Engineering' }

for (const { path, person, pixel } of [
  { path: '/healthcare', person: nurse, pixel: 'healthcare' },
  { path: '/technology', person: engineer, pixel: 'technology' },
  { path: '/business', person: ada, pixel: 'default' },
  { path: '/', person: ada, pixel: 'default' },
]) {
  test(`${path} loads the ${pixel} pixel once, on the thank-you screen`, async ({
    page,
    product,
    email,
  }) => {
    const others = listenForOthers(page, product.url)
    await comeBackTo(page, 4, `${path}?affid=Partner%267`, { ...person, email })
    await fillProgram(page, person)
    expect(others).toEqual([])
    const counted = page.waitForResponse(/\/pixel\//)
    await send(page)
    await expectThanks(page)
    await (await counted).finished()
    const [stored] = storedLeads(product.dataDir, email)
    expect(others).toEqual([
      `${product.sandboxUrl}/pixel/${pixel}.gif?lead=${stored?.id}&sub=Partner%267`,
    ])
  })
}

test.describe('a visitor whose browser asks not to sell data', () => {
  test.use({ extraHTTPHeaders: { 'Sec-GPC': '1' } })

  test('gets a thank-you screen without a pixel', async ({ page, product, email }) => {
    const others = listenForOthers(page, product.url)
    await comeBackTo(page, 4, '/healthcare?affid=Partner-7', { ...nurse, email })
    await fillProgram(page, nurse)
    await expect(page.getByText(doNotSellNotice.heard)).toBeVisible()
    await send(page)
    await expectThanks(page)
    await expect(page.getByText(doNotSellNotice.heard)).toBeVisible()
    const [stored] = storedLeads(product.dataDir, email)
    expect(stored?.payload.gpc).toBe(true)
    await expectAccessibleState(page, 'the thanks, where data may not be sold')
    // This request comes after all requests of the thank-you screen.
    await page.evaluate(() => fetch('/healthz').then((reply) => reply.text()))
    expect(others).toEqual([])
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('only the thank-you page has the pixel, as an image', async ({ page, product, email }) => {
    const others = listenForOthers(page, product.url)
    await page.goto('/healthcare?affid=Partner-7')
    await fillAll(page, { ...nurse, email })
    expect(others).toEqual([])
    await send(page)
    await expectThanks(page)
    const [stored] = storedLeads(product.dataDir, email)
    const pixel = `${product.sandboxUrl}/pixel/healthcare.gif?lead=${stored?.id}&sub=Partner-7`
    await expect(page.locator('noscript img')).toHaveAttribute('src', pixel)
    await page.waitForLoadState('load')
    expect(others).toEqual([pixel])
  })

  test('a visitor who opts out of data sales gets no image either', async ({ product, email }) => {
    const plain = new PlainBrowser(product.url, { 'sec-gpc': '1' })
    await plain.goto('/healthcare')
    expect(plain.text).toContain(doNotSellNotice.heard)
    await plain.fillAll({ ...nurse, email })
    expect(plain.text).toContain(doNotSellNotice.heard)
    await plain.press('Agree & Continue')
    plain.expectThanks()
    expect(plain.text).toContain(doNotSellNotice.heard)
    expect(plain.hasPixel).toBe(false)
  })
})
