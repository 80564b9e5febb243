import { test as base } from '@playwright/test'

/**
 * A journey that fails leaves a picture of each page that is open then. The runner's own setting takes one of every
 * journey, and throws it away where it was well: docs/decisions/0164-what-a-journey-draws.md.
 */
export const test = base.extend({
  page: async ({ page, browser }, use, testInfo) => {
    await use(page)
    if (testInfo.status === testInfo.expectedStatus) return
    const pages = browser.contexts().flatMap((context) => context.pages())
    for (const [index, open] of pages.entries()) {
      const path = testInfo.outputPath(`failed-${index + 1}.png`)
      await open.screenshot({ path })
      await testInfo.attach(`page ${index + 1}`, { path, contentType: 'image/png' })
    }
  },
})
