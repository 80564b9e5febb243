import type { Page } from '@playwright/test'

/** The message beside the form. It has no role of its own: the summary, which takes the focus, says the same. */
export const toast = (page: Page) => page.locator('[data-toast]')

/** From here on the page's clock stands still: the three seconds of a toast would be over on a machine that does. */
export async function keepToasts(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}
