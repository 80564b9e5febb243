import { expect, type Page } from '@playwright/test'
import { toReference } from '#domain/lead/reference.ts'
import { openStore } from '#server/store/open-store.ts'
import { lookAtState } from '#tests/accessibility/look.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { test } from './pictured-test.ts'

let product: RunningProduct
test.beforeEach(async () => {
  product = await startProcess()
})
test.afterEach(() => product.stop())

/** Stores suspicious leads, the oldest first. */
async function storeSuspicious(count: number): Promise<readonly string[]> {
  const store = await openStore({ dataDir: product.dataDir })
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const arrival = exampleArrival({ receivedAt: Date.now() - 60_000 + index })
    await store.intake.accept({ ...arrival, signals: ['too-fast'], isQuarantined: true })
    ids.push(arrival.lead.id)
  }
  await store.close()
  return ids
}

/** Extends the time in which a release can be undone: a stalled machine could use them up. */
const keepHeld = () =>
  runInStore(
    product,
    `create trigger held_long after insert on deliveries
     begin update deliveries set next_at = next_at + 3600000 where id = new.id; end`,
  )
const letGo = () => runInStore(product, 'drop trigger held_long; update deliveries set next_at = 0')

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const suspect = (page: Page, id: string | undefined) =>
  page.getByRole('article').locator(`a[href="/leads/${id}"]`)

test('an operator goes through the quarantine', async ({ page, browser }) => {
  await page.goto(product.consoleLink)
  await page.getByRole('link', { name: 'Quarantine', exact: true }).click()
  await expect(page.getByText('Nothing is in quarantine.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'View all leads' })).toBeVisible()

  await keepHeld()
  const [first, second, third] = await storeSuspicious(3)
  await page.reload()
  await expect(suspect(page, first)).toBeVisible()
  await expect(page.getByText('3 in quarantine')).toBeVisible()

  await button(page, 'Release').click()
  await expect(suspect(page, second)).toBeVisible()
  await expect(
    page.getByText('Released: ').getByRole('link', { name: toReference(first ?? '') }),
  ).toBeVisible()
  await expect(
    page.getByRole('status', { name: 'A worker sends the lead in two minutes' }),
  ).toBeFocused()
  await lookAtState(page, 'Quarantine, a lead released', 'main')
  await page.getByRole('status', { name: 'A worker sends the lead in two minutes' }).focus()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Undo')).toBeFocused()
  await button(page, 'Undo').click()
  await expect(page.getByRole('status', { name: 'Release undone' })).toBeFocused()
  await expect(suspect(page, first)).toBeVisible()

  await button(page, 'Release').click()
  await expect(suspect(page, second)).toBeVisible()
  await button(page, 'Leave').click()
  await expect(suspect(page, third)).toBeVisible()
  await expect(page.getByText('2 in quarantine')).toBeVisible()
  await button(page, 'Reveal').click()
  await expect(page.getByText("Zoë O'Neill")).toBeVisible()
  await lookAtState(page, 'Quarantine, the person revealed', 'main')
  await button(page, 'Erase').click()
  await expect(page.getByText('This cannot be undone')).toBeVisible()
  await button(page, 'Erase permanently').click()
  await expect(page.getByText('You’ve reviewed every lead.')).toBeVisible()
  await expect(page.getByText('Leads that you skipped stay in quarantine.')).toBeVisible()
  await lookAtState(page, 'Quarantine, all reviewed', 'main')

  // Leaving the page does not cancel the release.
  await letGo()
  await page.goto(`${new URL(page.url()).origin}/leads/${first}`)
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('main')).not.toContainText('In quarantine', { timeout: 200 })
  }).toPass()

  await keepHeld()
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await plain.context().addCookies(await page.context().cookies())
  await plain.goto(`${new URL(page.url()).origin}/quarantine`)
  await button(plain, 'Release').click()
  await button(plain, 'Undo').click()
  await expect(plain.getByText('Release undone: the lead stays in quarantine')).toBeVisible()
  await button(plain, 'Leave').click()
  await expect(plain.getByText('You’ve reviewed every lead.')).toBeVisible()
})

test('after two minutes the button stays, and Undo says that it is too late', async ({ page }) => {
  await storeSuspicious(1)
  await page.goto(product.consoleLink)
  await page.goto(`${new URL(page.url()).origin}/quarantine`)
  await button(page, 'Release').click()
  await expect(
    page.getByRole('status', { name: 'A worker sends the lead in two minutes' }),
  ).toBeFocused()
  await page.keyboard.press('Tab')
  await runInStore(product, 'update deliveries set attempts = 1')
  await expect(button(page, 'Undo')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'Too late' })).toBeFocused()
})
