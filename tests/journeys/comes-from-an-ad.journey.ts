import { expect, type Page } from '@playwright/test'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { expectThanks, fillAll, send } from './fill-steps.ts'
import { test, untilAlive, visit } from './visit.ts'

const ad =
  '/?utm_source=google&UTM_MEDIUM=cpc&utm_campaign=Spring%20Sale&utm_term=online%20mba&gclid=click-1'
const touch = {
  utm_source: 'google',
  utm_medium: 'cpc',
  utm_campaign: 'Spring Sale',
  utm_term: 'online mba',
}

/** The hosts that the page's browser has called from now on. */
function calledHosts(page: Page): ReadonlySet<string> {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  return hosts
}

const toBusiness = (page: Page) => page.locator('main a[href="/business#programs"]').click()

test('a visitor from an ad changes the area and reloads; the lead on the console names the ad', async ({
  page,
  product,
  email,
}) => {
  const hosts = calledHosts(page)
  await page.goto(ad, { referer: 'https://search.example/results?q=ada' })
  await toBusiness(page)
  await page.waitForURL('**/business#programs')
  await untilAlive(page)
  await page.reload()
  await untilAlive(page)
  // The tab's last touch is a second ad; a page without parameters keeps it.
  await visit(page, '/healthcare?utm_source=news')
  await page.goto('/business')
  await untilAlive(page)
  await fillAll(page, { ...ada, email })
  expect([...hosts]).toEqual([new URL(product.url).host])
  await send(page)
  await expectThanks(page)

  const [lead] = storedLeads(product.dataDir, email)
  const first = { ...touch, referrer: 'search.example', gclid: 'click-1' }
  expect(lead?.payload.attribution).toEqual({ first, last: { utm_source: 'news' } })

  await page.goto(product.consoleLink)
  const desk = new URL(page.url()).origin
  await page.goto(`${desk}/leads`)
  await page.getByText('More filters').click()
  await page.getByLabel('Source', { exact: true }).fill('news')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/\/leads\?source=news$/)
  await page.getByRole('table', { name: 'Leads' }).locator(`a[href="/leads/${lead?.id}"]`).click()
  const enquiry = page.getByRole('region', { name: 'Enquiry' })
  await expect(enquiry).toContainText(
    'First touchsource google, medium cpc, campaign Spring Sale, term online mba, link on search.example',
  )
  await expect(enquiry).toContainText('Last touchsource news')
  await expect(page.locator('main')).not.toContainText('click-1')
  await page.getByRole('button', { name: 'Reveal' }).click()
  await page.getByText('Technical details').click()
  await expect(page.getByText('click-1')).toBeVisible()
})

test('with Global Privacy Control, neither the tab nor the lead keeps a click id', async ({
  page,
  product,
  email,
}) => {
  await page.setExtraHTTPHeaders({ 'sec-gpc': '1' })
  await visit(page, ad)
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('click-1')
  await toBusiness(page)
  await page.waitForURL('**/business#programs')
  await untilAlive(page)
  await fillAll(page, { ...ada, email })
  await send(page)
  await expectThanks(page)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { gpc: true, attribution: { first: touch, last: touch } } },
  ])
  expect(JSON.stringify(storedLeads(product.dataDir, email))).not.toContain('click-1')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a visitor from an ad changes the area, reloads and posts each step', async ({
    page,
    product,
    email,
  }) => {
    await page.goto(ad)
    await toBusiness(page)
    await page.reload()
    await fillAll(page, { ...ada, email })
    await send(page)
    await expectThanks(page)
    const whole = { ...touch, gclid: 'click-1' }
    expect(storedLeads(product.dataDir, email)).toMatchObject([
      { payload: { attribution: { first: whole, last: whole } } },
    ])
  })
})
