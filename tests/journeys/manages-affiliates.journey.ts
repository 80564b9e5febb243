import { expect } from '@playwright/test'
import { openStore } from '#server/store/open-store.ts'
import { expectAccessibleState } from '#tests/accessibility/expect-accessible.ts'
import { expectFits } from '#tests/accessibility/expect-fits.ts'
import { lookAtState } from '#tests/accessibility/look.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { test } from './pictured-test.ts'

test('an admin adopts an affiliate id, and sees what its leads came to', async ({ page }) => {
  const product = await startProcess()
  try {
    const store = await openStore({ dataDir: product.dataDir })
    for (const [index, subId] of ['a7', 'a7', 'a8', '9415550100'].entries()) {
      const arrival = exampleArrival({ receivedAt: Date.now() - index - 1000, subId })
      await store.intake.accept({ ...arrival, isQuarantined: true })
    }
    await store.close()
    await page.goto(product.consoleLink)
    await page.getByRole('link', { name: 'Affiliates', exact: true }).click()
    const unknown = page.getByRole('table', { name: 'Ids without an affiliate' })
    await expect(unknown.getByRole('row', { name: /^a7/ })).toContainText('2')
    await expect(unknown.getByRole('row', { name: /^•••/ })).toContainText('add it by hand')
    expect(await page.content()).not.toContain('9415550100')

    await unknown.getByRole('row', { name: /^a7/ }).getByRole('button', { name: 'Adopt' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Affiliate')
    const scorecard = page.getByRole('table', { name: 'Scorecard' })
    await expect(scorecard.getByRole('row', { name: /^Leads/ })).toContainText('2')
    await expect(scorecard.getByRole('row', { name: /^Acceptance/ })).toContainText('too few')

    await page.getByLabel('Affiliate ids').fill('a7\na7')
    await page.getByLabel('Postback URL').fill('http://127.0.0.1:9/paid')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Nothing was changed')).toBeVisible()
    await expect(page.getByLabel('Affiliate ids')).toHaveAccessibleDescription(/is listed twice/)
    await expect(page.getByLabel('Postback URL')).toHaveAccessibleDescription(/has no macro/)
    await expectAccessibleState(page, 'Affiliate, with errors')
    await page.getByLabel('Postback URL').fill('')

    await page.getByLabel('Name', { exact: true }).fill('Acme Media')
    await page.getByLabel('Affiliate ids').fill('a7\na8')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Affiliate saved')).toBeVisible()
    const payout = page.getByRole('form', { name: 'Set the payout' }).getByLabel('US dollars')
    await payout.fill('ten')
    await page.getByRole('button', { name: 'Set payout' }).click()
    await expect(payout).toHaveAccessibleDescription(/such as 12.50/)
    await expect(payout).toHaveValue('ten')
    await payout.fill('12.50')
    await page.getByRole('button', { name: 'Set payout' }).click()
    await expect(page.getByText(/^Payout set: \$12\.50 from .*, all programs$/)).toBeVisible()
    const payouts = page.getByRole('table', { name: 'Payout by day' })
    await expect(payouts.getByRole('row', { name: /\$12\.50/ })).toBeVisible()
    // No lead was accepted with the payout, so that it can be replaced and removed.
    await payout.fill('130')
    await page.getByRole('button', { name: 'Set payout' }).click()
    await expect(payouts.getByRole('row', { name: /\$130\.00/ })).toBeVisible()
    await payouts.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('$130.00 from')).toBeVisible()
    await page.getByRole('button', { name: 'Remove the payout' }).click()
    await expect(page.getByText('The payout is removed')).toBeVisible()
    await expect(page.getByText('None is set.')).toBeVisible()
    await payout.fill('12.50')
    await page.getByRole('button', { name: 'Set payout' }).click()
    await expect(payouts).toContainText('$12.50')
    await expect(scorecard.getByRole('row', { name: /^Owed/ })).toContainText('$0.00')
    // The affiliate reads a printed statement.
    await page.getByRole('link', { name: /^statement of/ }).click()
    await expect(page.getByText('Campus Enquiry console')).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText('Campus Enquiry console')).toBeHidden()
    await expect(page.getByRole('heading', { name: /^Acme Media, / })).toBeVisible()
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('link', { name: 'The affiliate', exact: true }).click()
    // A sheet is narrower than many windows, and still has columns.
    const window = page.viewportSize()
    await page.setViewportSize({ width: 794, height: 1123 })
    await page.emulateMedia({ media: 'print' })
    await expect(scorecard.getByRole('cell').first()).toHaveCSS('display', 'table-cell')
    await page.emulateMedia({ media: 'screen' })
    if (window) await page.setViewportSize(window)
    await scorecard.getByRole('link', { name: '3' }).click()
    await expect(page.getByText('3 leads').first()).toBeVisible()

    await page.getByRole('link', { name: 'Affiliates', exact: true }).click()
    await page.getByRole('link', { name: 'Add an affiliate' }).click()
    await page.getByLabel('Name', { exact: true }).fill('acme media')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
      /is already an affiliate/,
    )
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(new URL('/affiliates?from=2026-13-01', page.url()).href)
    await expect(page.getByText('is not a date').first()).toBeVisible()
    await expectFits(page, 'Affiliates on a phone')
    await page.getByRole('link', { name: 'Acme Media' }).click()
    await expectAccessibleState(page, 'Affiliate on a phone')
    await expectFits(page, 'Affiliate on a phone')
    await page.getByRole('button', { name: 'Stop affiliate' }).click()
    await expect(page.getByText('the leads of Acme Media wait in quarantine')).toBeVisible()
    await page.getByLabel('Reason').fill('bought leads')
    await expectFits(page, 'Affiliate, before its stop')
    await page.getByRole('button', { name: 'Stop the affiliate' }).click()
    await expect(page.getByText('Reason: bought leads')).toBeVisible()
    await expectAccessibleState(page, 'Affiliate, stopped')

    await page.getByRole('button', { name: 'Start affiliate again' }).click()
    await page.getByLabel('Reason').fill('explained')
    await page.getByRole('button', { name: 'Start the affiliate' }).click()
    await expect(page.getByText('Affiliate started again')).toBeVisible()
    await expect(page.getByText('Reason: bought leads')).toBeHidden()

    await page.getByRole('button', { name: 'Remove affiliate' }).click()
    await expect(page.getByText('Acme Media is removed with its ids')).toBeVisible()
    await lookAtState(page, 'Affiliate, before its removal')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(payouts).toContainText('$12.50')
    await page.getByRole('button', { name: 'Remove affiliate' }).click()
    await page.getByRole('button', { name: 'Remove the affiliate' }).click()
    await expect(page.getByText('Affiliate removed: Acme Media')).toBeVisible()
    await expect(unknown).toContainText('a8')
  } finally {
    await product.stop()
  }
})
