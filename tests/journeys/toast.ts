import type { Page } from '@playwright/test'

/** The message beside the form. It has no role of its own, because the summary gets the focus. */
export const toast = (page: Page) => page.locator('[data-toast]')

/** The summary above the form, which repeats the toast's message and stays. */
export const twin = (page: Page) => page.locator('form [data-summary]')

/** Pauses the page's clock, because a stalled machine would use up a toast's three seconds. */
export async function keepToasts(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}
