import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** Milliseconds since the navigation began at which the form first said its step: its handlers are then attached. */
    hydratedAt?: number
  }
}

/** To be called before the page is opened. */
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
