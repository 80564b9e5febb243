import { expect } from '@playwright/test'
import { openStore } from '#server/store/open-store.ts'
import { expectAccessibleState } from '#tests/accessibility/expect-accessible.ts'
import { expectFits } from '#tests/accessibility/expect-fits.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { sqlitePlace } from '#tests/store/store-places.ts'
import { test } from './pictured-test.ts'

test('an operator imports the leads that the distributor takes back', async ({ page }) => {
  const place = await sqlitePlace()
  const store = await openStore(place.settings)
  await store.migrate()
  const { delivered, rejected } = await storeLeadOfEachStatus(store)
  await store.close()
  const product = await startProcess({ DATA_DIR: place.settings.dataDir })
  try {
    await page.goto(product.consoleLink)
    await page.goto(`${new URL(page.url()).origin}/returns`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Returns')
    await expectAccessibleState(page, 'Returns, none')

    const importFile = async (...lines: string[]) => {
      const buffer = Buffer.from(['Lead ID;Date;Why', ...lines].join('\n'))
      const file = page.getByLabel('The distributor’s file')
      await file.setInputFiles({ name: 'returns.csv', mimeType: 'text/csv', buffer })
      await page.getByRole('button', { name: 'Import' }).click()
    }
    const right = `${delivered};1/20/2026;number not in service`
    await importFile(right)
    await expect(page.getByRole('link', { name: /no column “reference”/i })).toBeVisible()
    await page.getByLabel('Id of the lead').fill('Lead ID')
    await page.getByLabel('Reason').fill('Why')
    await importFile(right, `${rejected};1/20/2026;x`, 'nobody;1/20/2026;x')
    await expect(page.getByRole('group', { name: '2 lines are wrong' })).toBeFocused()
    await expect(page.getByRole('list', { name: 'Wrong lines' }).getByRole('listitem')).toHaveText([
      'Line 3: the distributor has not accepted this lead',
      'Line 4: “nobody” is not a lead’s id, which has 36 characters',
    ])
    await expectAccessibleState(page, 'Returns, wrong lines')

    await importFile(right)
    await expect(page.getByText('Returns imported: 1 recorded')).toBeVisible()
    await expect(page.getByLabel('Reason')).toHaveValue('Why')
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessibleState(page, 'Returns on a phone')
    await expectFits(page, 'Returns on a phone')

    await page.getByRole('link', { name: 'View the returned leads' }).click()
    await expect(page.getByText('returned', { exact: true })).toBeVisible()
    await page.locator(`a[href="/leads/${delivered}"]`).click()
    await expect(page.getByText('returned it on Jan 20, 2026')).toBeVisible()
    await page.getByRole('button', { name: 'Reveal' }).click()
    await expect(page.locator('main')).toContainText('number not in service')
  } finally {
    await product.stop()
    await place.remove()
  }
})
