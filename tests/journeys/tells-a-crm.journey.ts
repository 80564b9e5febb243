import { expect } from '@playwright/test'
import { expectAccessibleState } from '#tests/accessibility/expect-accessible.ts'
import { expectFits } from '#tests/accessibility/expect-fits.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { test } from './pictured-test.ts'

test('an admin adds a webhook, tests it, and sees why a call fails', async ({ page }) => {
  const product = await startProcess()
  try {
    await page.goto(product.consoleLink)
    const { origin } = new URL(page.url())
    await page.goto(`${origin}/webhooks`)
    await expectAccessibleState(page, 'Webhooks, none')

    await page.getByLabel('URL').fill('crm.example.edu')
    await expect(page.getByLabel('A lead is received')).not.toBeChecked()
    for (const event of ['accepted', 'rejected', 'returned']) {
      await page.getByLabel(`A lead is ${event}`).uncheck()
    }
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await expect(page.getByRole('link', { name: 'begins with https://' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Choose at least one event' })).toBeVisible()
    await expectAccessibleState(page, 'Webhooks, wrong')

    await page.getByLabel('URL').fill(`${product.sandboxUrl}/crm`)
    await page.getByLabel('A lead is accepted').check()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await expect(page.getByLabel('Signing secret')).toHaveValue(/^whsec_/)
    await expectAccessibleState(page, 'Webhooks, added')

    await page.getByRole('link', { name: '/crm' }).click()
    await page.getByRole('button', { name: 'Send test' }).click()
    await expect(page.getByText('The test was accepted')).toBeVisible()
    await expect(page.getByRole('row', { name: /test.*sent.*HTTP 200/ })).toBeVisible()
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessibleState(page, 'Webhook on a phone')
    await expectFits(page, 'Webhook on a phone')

    await page.getByLabel('URL').fill(`${product.sandboxUrl}/nobody`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Send test' }).click()
    await expect(page.getByText('The test was not accepted')).toBeVisible()
    await expect(page.getByText('HTTP 404').first()).toBeVisible()
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText('paused by demo@example.com')).toBeVisible()
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('the signing secret is lost')).toBeVisible()
    await expectAccessibleState(page, 'Webhook, before its deletion')
    await expectFits(page, 'Webhook, before its deletion')
    await page.getByRole('button', { name: 'Delete the webhook' }).click()
    await expect(page.getByText('There are no webhooks')).toBeVisible()
  } finally {
    await product.stop()
  }
})
