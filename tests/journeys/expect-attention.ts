import { expect, type Locator, type Page } from '@playwright/test'

/** Expects that the first field that needs the visitor is focused, or a summary, whose first link leads there by keyboard. */
export async function expectAttention(page: Page, first: Locator) {
  const summary = page.locator('form [data-summary]')
  await expect(summary.or(first).and(page.locator(':focus'))).toHaveCount(1)
  if ((await summary.count()) > 0) {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
  }
  await expect(first).toBeFocused()
}
