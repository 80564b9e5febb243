import { expect } from '@playwright/test'
import { openStore } from '#server/store/open-store.ts'
import { runAxe } from '#tests/accessibility/axe-engine.ts'
import { expectAccessibleState } from '#tests/accessibility/expect-accessible.ts'
import { expectFits } from '#tests/accessibility/expect-fits.ts'
import { lookAtState } from '#tests/accessibility/look.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { test } from './pictured-test.ts'

test('an operator filters leads, pages through them, saves a view and finds a person', async ({
  page,
}) => {
  const product = await startProcess({ DELIVERY_RETRY_SCHEDULE: '1h' })
  try {
    const table = page.getByRole('table', { name: 'Leads' })
    const rows = table.locator('tbody tr')
    await page.goto(product.consoleLink)
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await expect(page.getByText('No leads yet')).toBeVisible()
    await expect(page.getByRole('link', { name: 'the site' })).toHaveAttribute('href', product.url)
    await expectAccessibleState(page, 'Leads, none')

    const store = await openStore({ dataDir: product.dataDir })
    for (let index = 0; index < 52; index++) {
      const lastName = index === 7 ? 'Lovelace' : 'Sandbox-Fail500'
      const state = index % 4 === 0 ? 'NY' : 'FL'
      const receivedAt = Date.now() - 60_000 * index
      const phone = `94155501${index + 10}`
      await store.intake.accept(exampleArrival({ lastName, state, receivedAt, phone }))
    }
    await store.close()
    await expect(async () => {
      await page.reload()
      await expect(page.getByText('52 leads', { exact: true })).toBeVisible({ timeout: 500 })
    }).toPass()
    // The count updates by itself, and the rows on request.
    await page.reload()
    await expect(rows).toHaveCount(50)
    // Search and filters leave enough space to see the results.
    await expect(rows.nth(3)).toBeInViewport()
    await page.getByRole('link', { name: 'Older' }).click()
    await expect(rows).toHaveCount(2)

    for (const name of ['Area', 'Affiliate']) {
      await expect(page.getByLabel(name, { exact: true })).toBeVisible()
    }
    await page.getByLabel('State').fill('ny')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(rows).toHaveCount(13)
    await expect(page.getByText('Same in every row:')).toContainText('State NY')
    await expect(page, 'an address to pass on').toHaveURL(/\/leads\?state=ny$/)
    await page.getByLabel('View name').fill('New York')
    await page.getByRole('button', { name: 'Save view' }).click()
    await expect(page.getByRole('status', { name: 'View saved' })).toBeFocused()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('link', { name: 'New York' }).click()
    await expect(page.getByLabel('State')).toHaveValue('ny')

    await page.getByLabel('Status', { exact: true }).selectOption('dead')
    await page.locator('summary', { hasText: 'Status' }).click()
    await page.getByRole('checkbox', { name: 'waiting' }).check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page).toHaveURL(/status=/)
    // A worker may have leased one of the leads at first.
    await expect(async () => {
      await page.reload()
      await expect(rows).toHaveCount(13, { timeout: 500 })
    }).toPass()
    await lookAtState(page, 'Leads, several values')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    expect((await download).suggestedFilename()).toMatch(/^leads-.*\.csv$/)

    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByLabel('Search', { exact: true }).fill('lovelace')
    await page.getByLabel('Search', { exact: true }).press('Enter')
    await expect(rows).toHaveCount(1)
    expect(page.url()).not.toContain('lovelace')
    await expectAccessibleState(page, 'Leads, a person searched for')

    // On a phone the filter opens above the list, which it would push out of view.
    const { origin } = new URL(page.url())
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${origin}/leads`)
    await expect(page.getByLabel('State')).toBeHidden()
    await expect(rows.first()).toBeInViewport()
    const filter = page.getByRole('button', { name: 'Filter' })
    await filter.click()
    await page.keyboard.press('Escape')
    await expect(page.getByLabel('State')).toBeHidden()
    await filter.click()
    const close = page.getByRole('button', { name: 'Close the filter' })
    await expect(close).toBeInViewport({ ratio: 1 })
    expect((await runAxe(page, '#filter')).failed).toEqual([])
    // The button stays visible, however far the fields are scrolled.
    await page.getByText('More filters').click()
    await page.getByLabel('Restored', { exact: true }).scrollIntoViewIfNeeded()
    await expect(close).toBeInViewport({ ratio: 1 })
    await close.click()
    await expect(page.getByLabel('State')).toBeHidden()
    await expect(filter).toBeFocused()
    await filter.click()
    await page.getByLabel('State').fill('ny')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(rows).toHaveCount(13)
    await expect(filter).toHaveText('Filter (1)')

    await page.goto(`${origin}/leads?state=NY&status=dead&status=pending`)
    await expect(filter).toHaveText('Filter (3)')
    // With the buttons to save the view and to export it, the first lead is still visible.
    await expect(page.getByRole('button', { name: 'Save view' })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Export' })).toBeInViewport({ ratio: 1 })
    await expect(rows.first().getByRole('link')).toBeInViewport({ ratio: 1 })
    await expectAccessibleState(page, 'Leads on a phone')
    await expectFits(page, 'Leads on a phone')

    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto(`${origin}/leads?status=lost&status=dead`)
    await expect(page.getByRole('link', { name: '“lost” isn’t a valid value.' })).toBeVisible()
    await lookAtState(page, 'Leads, a filter that cannot be meant')
  } finally {
    await product.stop()
  }
})
