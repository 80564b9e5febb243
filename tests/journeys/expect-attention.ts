import { expect, type Locator, type Page } from '@playwright/test'

/** What needs the visitor has the focus, and leads by keyboard to the first field that does. */
export async function expectAttention(page: Page, first: Locator) {
  await expect(page.locator('form [data-summary]')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(first).toBeFocused()
}
