import type { Page } from '@playwright/test'

/** The message beside the form. It has no role of its own: its twin takes the focus. */
export const toast = (page: Page) => page.locator('[data-toast]')

/** Says the same above the form, and stays. */
export const twin = (page: Page) => page.locator('form [data-summary]')

/** From here on the page's clock stands still: the three seconds of a toast would be over on a machine that does. */
export async function keepToasts(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}
