import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /**
     * When the form first announced its step, in milliseconds since the navigation began: its handlers are then
     * attached.
     */
    hydratedAt?: number
  }
}

/** Call this before the page is opened. */
export const watchHydration = (page: Page) =>
  page.addInitScript(() => {
    document.addEventListener(
      'enquiry:step',
      () => {
        window.hydratedAt = performance.now()
      },
      { once: true },
    )
  })

/** @returns milliseconds since the navigation began */
export async function untilHydrated(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => window.hydratedAt)
  return Number(await handle.jsonValue())
}
