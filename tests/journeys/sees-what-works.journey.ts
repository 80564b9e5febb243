import { expect } from '@playwright/test'
import type { Visit } from '#domain/measuring/visit.ts'
import { openStore } from '#server/store/open-store.ts'
import { expectAccessibleState } from '#tests/accessibility/expect-accessible.ts'
import { expectFits } from '#tests/accessibility/expect-fits.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { test } from './pictured-test.ts'

const hour = 3_600_000

const visit = (id: string, affiliate: string): Visit => ({
  ...{ id, area: 'business', source: 'news', campaign: 'spring', affiliate },
  ...{ device: 'phone', program: 8 },
  progress: {
    ...{ openMs: 60_000, isStarted: true, step: 1, shown: [1, 2], visibleMs: [20_000, 40_000] },
    ...{ field: 'zip', refused: ['zip not-found'], vitals: { lcp: 1200, inp: 90, cls: 20 } },
  },
})

test('an operator sees where visitors leave, and compares affiliates', async ({ page }) => {
  const product = await startProcess()
  try {
    await page.goto(product.consoleLink)
    await page.getByRole('link', { name: 'Funnel', exact: true }).click()
    await expect(page.getByText('No visits on these days')).toBeVisible()
    await expectAccessibleState(page, 'Funnel, none')

    // The product's zone: in UTC, visits of the evening would count on a day that the page doesn't show yet.
    const store = await openStore({ dataDir: product.dataDir, zone: 'America/New_York' })
    const visits = ['a7', 'a7', 'a8'].map((affiliate, at) => visit(`visit ${at}`, affiliate))
    await store.visits.save(visits, Date.now() - 2 * hour)
    while ((await store.visits.countEnded(Date.now())) > 0);
    await store.close()
    const compared = page.getByRole('table', { name: 'Comparison' })
    await expect(async () => {
      await page.reload()
      // The headings, two affiliates and their sum.
      await expect(compared.getByRole('row')).toHaveCount(4, { timeout: 500 })
    }).toPass()

    await compared.getByRole('link', { name: 'a8' }).click()
    await expect(page).toHaveURL(/affiliate=a8/)
    await expect(page.getByLabel('Affiliate', { exact: true })).toHaveValue('a8')
    const stages = page.getByRole('table', { name: 'From page view to accepted lead' })
    await expect(stages.getByRole('row', { name: /^Page seen/ })).toContainText('1')
    await page.getByRole('link', { name: 'source' }).click()
    await expect(compared.getByRole('link', { name: 'news' })).toBeVisible()

    await compared.getByRole('link', { name: 'Visits', exact: true }).click()
    await expect(compared.getByRole('columnheader', { name: 'Visits' })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download Comparison as CSV' }).click()
    expect((await download).suggestedFilename()).toMatch(
      /^comparison-by-source-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/,
    )

    await page.setViewportSize({ width: 360, height: 740 })
    await page.reload()
    await expectAccessibleState(page, 'Funnel on a phone')
    await expectFits(page, 'Funnel on a phone')
  } finally {
    await product.stop()
  }
})
