import { expect, type Locator, type Page } from '@playwright/test'

/** Expects that the summary is focused, and that its first link leads by keyboard to the first invalid field. */
export async function expectAttention(page: Page, first: Locator) {
  await expect(page.locator('form [data-summary]')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(first).toBeFocused()
}
