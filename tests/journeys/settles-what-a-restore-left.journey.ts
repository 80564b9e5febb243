import { expect } from '@playwright/test'
import { markOpenInDoubt } from '#server/delivery/change-deliveries.ts'
import { openStore } from '#server/store/open-store.ts'
import { expectFits } from '#tests/accessibility/expect-fits.ts'
import { lookAtState } from '#tests/accessibility/look.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { test } from './pictured-test.ts'

test('after a restore, an operator finds the leads in doubt, and settles those that the distributor has', async ({
  page,
}) => {
  const product = await startProcess({ ROLE: 'console' })
  try {
    const store = await openStore({ dataDir: product.dataDir })
    for (let index = 0; index < 3; index++) {
      const receivedAt = Date.now() - 60_000 * index
      // The initials differ, because a column with equal values is hidden.
      const firstName = ['Ada', 'Bo', 'Cy'][index] ?? ''
      const phone = `941555010${index}`
      await store.intake.accept(exampleArrival({ firstName, receivedAt, phone }))
    }
    // The same pause as `leads restored` sets.
    await store.breaker.pause({ reason: 'restored from a backup', at: Date.now() })
    await markOpenInDoubt(store.database, Date.now())
    await store.close()

    await page.goto(product.consoleLink)
    await expect(page.getByText('3 restored leads may have been delivered')).toBeVisible()
    await lookAtState(page, 'Overview, after a restore')
    await page.getByRole('link', { name: 'View the leads in doubt' }).click()
    const rows = page.getByRole('table', { name: 'Leads' }).locator('tbody tr')
    await expect(rows).toHaveCount(3)
    await lookAtState(page, 'Leads in doubt')
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page, 'Leads in doubt on a phone')
    const [before, settle] = await rows
      .first()
      .locator('td:not([data-empty], [hidden], [data-hidden-when-narrow])')
      .evaluateAll((cells) =>
        cells.slice(-2).map((cell) => {
          const text = document.createRange()
          text.selectNodeContents(cell.querySelector('a')?.firstChild ?? cell)
          return text.getBoundingClientRect().bottom
        }),
      )
    expect(settle, 'Settle stands in the line of what is beside it').toBeCloseTo(before ?? 0, -1)
    await page.setViewportSize({ width: 1280, height: 720 })

    await rows
      .first()
      .getByRole('link', { name: /^Settle/ })
      .click()
    await page.getByRole('radio', { name: /The distributor has this lead/ }).check()
    await page.getByRole('button', { name: 'Settle' }).click()
    await expect(page.getByText('Settled by hand')).toBeVisible()
    await expect(rows).toHaveCount(2)

    // Actions on all filtered leads include these leads.
    await page.getByRole('button', { name: /^Act on / }).click()
    await expect(page.getByText('Restored: in doubt')).toBeVisible()
    await page.getByRole('radio', { name: /Retry/ }).check()
    await page.getByRole('button', { name: 'Plan' }).click()
    await expect(page.getByRole('main')).toContainText('2 leads')
  } finally {
    await product.stop()
  }
})
