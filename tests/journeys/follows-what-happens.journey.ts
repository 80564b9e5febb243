import { expect, type Page } from '@playwright/test'
import { openStore, type Store } from '#server/store/open-store.ts'
import { lookAtState } from '#tests/accessibility/look.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { test } from './pictured-test.ts'

let product: RunningProduct
let store: Store
test.beforeAll(async () => {
  product = await startProcess({ DELIVERY_RETRY_SCHEDULE: '1h' })
  store = await openStore({ dataDir: product.dataDir })
})
test.afterAll(async () => {
  await store.close()
  await product.stop()
})

let phones = 0
const enquired: string[] = []

async function enquire(lastName = 'Sandbox-Fail500'): Promise<string> {
  phones += 1
  const phone = `94155501${10 + phones}`
  const { lead, ...arrival } = exampleArrival({ lastName, receivedAt: Date.now(), phone })
  await store.intake.accept({ lead, ...arrival })
  enquired.push(lead.id)
  return lead.id
}

/** Settles all leads, so that the overview shows no failed attempt. */
const settleAll = () =>
  expect
    .poll(async () => {
      const now = Date.now()
      for (const id of enquired) await settleLead(store, id, 'delivered', now)
      const { pending, leased } = (await store.leadReader.stats(now)).byStatus
      return pending + leased
    })
    .toBe(0)

/** Marks the document, so that a reload would remove the mark. */
const markDocument = (page: Page) =>
  page.evaluate(() => document.body.setAttribute('data-same', ''))
const expectSameDocument = (page: Page) =>
  expect(page.locator('body')).toHaveAttribute('data-same', '')

/** Reports the tab as hidden, as browsers do; a headless browser reports every tab as visible. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

const leadOf = (page: Page, id: string) => page.locator(`a[href="/leads/${id}"]`)

test('live updates show changes at once, and don’t disturb the operator', async ({
  page,
  context,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(product.consoleLink)
  const desk = new URL(page.url()).origin
  const live = page.getByRole('button', { name: 'Live updates' })
  await expect(live).toHaveAttribute('aria-pressed', 'true')

  await test.step('the overview', async () => {
    await markDocument(page)
    const first = await enquire()
    await expect(leadOf(page, first)).toBeVisible()
    await expectSameDocument(page)
    const waiting = page.locator('div', { has: page.getByRole('term').getByText('waiting') }).last()
    await expect(waiting.getByRole('definition')).toHaveText('1')
    await lookAtState(page, 'Overview, with leads')
    await page.getByRole('link', { name: 'waiting', exact: true }).click()
    await expect(page.getByText('1 lead', { exact: true })).toBeVisible()
  })

  await test.step('a list adds new leads, but moves no row under the pointer', async () => {
    await page.goto(`${desk}/leads`)
    const rows = page.getByRole('table', { name: 'Leads' }).locator('tbody tr')
    await expect(rows).toHaveCount(1)
    await markDocument(page)
    await page.getByLabel('Affiliate', { exact: true }).fill('partner')
    await rows.first().hover()
    await enquire()
    await enquire()
    await expect(page.getByText('3 leads', { exact: true })).toBeVisible()
    await expect(rows).toHaveCount(1)
    await page.getByRole('heading', { level: 1 }).hover()
    await expect(rows).toHaveCount(3)
    await expect(page.getByLabel('Affiliate', { exact: true })).toHaveValue('partner')
    await expect(page.getByLabel('Affiliate', { exact: true })).toBeFocused()
    await expectSameDocument(page)
    await lookAtState(page, 'Leads, with new ones', 'table')
  })

  await test.step('an open lead', async () => {
    const id = await enquire()
    await page.goto(`${desk}/leads/${id}`)
    await page.getByText('sent to the distributor').click()
    await markDocument(page)
    const timeline = page.getByRole('list', { name: 'Timeline' })
    await expect(timeline).toContainText('Attempt 1')
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await expect(page.getByText('builds this request from the stored lead')).toBeVisible()
    await expectSameDocument(page)
  })

  await test.step('a page in the background requests nothing, and catches up when the operator returns', async () => {
    await page.goto(`${desk}/`)
    await markDocument(page)
    await setHidden(page, true)
    asked.length = 0
    const missed = await enquire()
    const other = await context.newPage()
    await other.goto(`${desk}/`)
    await expect(leadOf(other, missed)).toBeVisible()
    expect(asked).toEqual([])
    await other.close()
    await setHidden(page, false)
    await expect(leadOf(page, missed)).toBeVisible()
    await expectSameDocument(page)
  })

  await test.step('with live updates off, the page stays as it is, in every window', async () => {
    await page.goto(`${desk}/`)
    await live.click()
    await expect(live).toHaveAttribute('aria-pressed', 'false')
    await page.reload()
    await expect(page.getByText('paused', { exact: true })).toBeVisible()
    asked.length = 0
    const late = await enquire()
    const other = await context.newPage()
    await other.goto(`${desk}/`)
    await expect(leadOf(other, late)).toBeVisible()
    await expect(leadOf(page, late)).toHaveCount(0)
    expect(asked).toEqual([])
    await other.getByRole('button', { name: 'Live updates' }).click()
    await expect(leadOf(page, late)).toBeVisible()
    await other.close()
  })

  await test.step('the page says since when the connection is lost, and later catches up', async () => {
    await expect(page.getByText(/latest (\d+ )?delivery attempts? failed/)).toBeVisible()
    await settleAll()
    await page.goto(`${desk}/`)
    const deliveriesRun = page.getByText('Deliveries are running', { exact: true })
    await expect(deliveriesRun).toBeVisible()
    const andWhen = () =>
      deliveriesRun.evaluate((heading) => getComputedStyle(heading, '::after').content)
    expect(await andWhen()).toBe('none')
    await expect(
      page.getByText(/The distributor neither accepted nor rejected any lead in the last 24 hours/),
    ).toBeVisible()
    await markDocument(page)
    await expect(live).toHaveAttribute('aria-pressed', 'true')
    product.process.kill('SIGSTOP')
    try {
      await expect(page.getByText(/^no connection since .*: trying again$/)).toBeVisible()
      expect(await andWhen()).toBe('", when last heard"')
    } finally {
      product.process.kill('SIGCONT')
    }
    await expect(page.getByText('no connection')).toHaveCount(0)
    expect(await andWhen()).toBe('none')
    const after = await enquire()
    await expect(leadOf(page, after)).toBeVisible()
    await expectSameDocument(page)
  })

  await test.step('revealed data stays, and the page stops updating', async () => {
    const id = await enquire('Sandbox-Fail500')
    await page.goto(`${desk}/leads/${id}`)
    await page.getByRole('button', { name: 'Reveal' }).click()
    await expect(live).toBeHidden()
  })

  await test.step('after a sign-out in another window, the page says so and hides revealed data', async () => {
    const revealed = await context.newPage()
    await revealed.goto(page.url().replace(/\/reveal$/, ''))
    await revealed.getByRole('button', { name: 'Reveal' }).click()
    await expect(revealed.getByRole('status', { name: 'The person’s data is shown' })).toBeVisible()
    await page.goto(`${desk}/`)
    const other = await context.newPage()
    await other.goto(`${desk}/`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('you are signed out')).toBeVisible()
    await expect(revealed).toHaveURL(/\/sign-in/)
  })
})
