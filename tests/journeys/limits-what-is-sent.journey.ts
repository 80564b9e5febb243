import { expect } from '@playwright/test'
import { expectAccessibleState } from '#tests/accessibility/expect-accessible.ts'
import { expectFits } from '#tests/accessibility/expect-fits.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { test } from './pictured-test.ts'

test('an admin adds a cap, corrects an error at its field, changes the cap and deletes it', async ({
  page,
}) => {
  const product = await startProcess()
  try {
    await page.goto(product.consoleLink)
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('link', { name: 'Caps', exact: true }).click()
    await expect(page.getByText('There are no caps: every lead is sent at once.')).toBeVisible()

    await page.getByLabel('State', { exact: true }).fill('Texas')
    await page.getByLabel('Leads at most').fill('many')
    await page.getByRole('button', { name: 'Save the cap' }).click()
    await expect(page.getByLabel('Leads at most')).toHaveAccessibleDescription(
      /Enter a whole number/,
    )
    await expect(page.getByLabel('State', { exact: true })).toHaveValue('Texas')
    // Beside the refused field is one without an error and one with a hint.
    const [refused, chosen, hinted] = await Promise.all(
      ['Leads at most', 'Per', 'Not in these states'].map((label) =>
        page.getByLabel(label, { exact: true }).boundingBox(),
      ),
    )
    expect([chosen?.y, hinted?.y]).toEqual([refused?.y, refused?.y])
    await expectAccessibleState(page, 'Caps, refused')

    await page.getByLabel('Leads at most').fill('100')
    await page.getByLabel('From', { exact: true }).fill('08:00')
    await page.getByLabel('To', { exact: true }).fill('18:00')
    await page.getByLabel('On these weekdays').fill('mon-fri')
    await page.getByLabel('Not on these days').fill('2026-11-26\n2026-12-25')
    await page.getByRole('button', { name: 'Save the cap' }).click()
    const row = page.getByRole('table', { name: 'Caps' }).getByRole('row', { name: /^TX/ })
    await expect(row).toContainText(
      '100 leads a day, on Mon–Fri, from 08:00 to 18:00, not on 2026-11-26, 2026-12-25',
    )
    await expect(row).toContainText('0 of 100')

    await row.getByRole('link', { name: 'Change' }).click()
    await page.getByLabel('Leads at most').fill('50')
    await page.getByRole('button', { name: 'Save the cap' }).click()
    await expect(row).toContainText('50 leads a day')
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessibleState(page, 'Caps on a phone')
    await expectFits(page, 'Caps on a phone')
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No lead is held.')).toBeVisible()
    await expectAccessibleState(page, 'Cap, before its deletion')
    await expectFits(page, 'Cap, before its deletion')
    await page.getByRole('button', { name: 'Delete the cap' }).click()
    await expect(page.getByText('There are no caps: every lead is sent at once.')).toBeVisible()
  } finally {
    await product.stop()
  }
})
