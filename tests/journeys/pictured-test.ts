import { type Browser, test as base, devices, type Page, type TestInfo } from '@playwright/test'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'

/** A worker's products, which start when a journey first needs them and run until the worker ends. */
export interface WorkersProducts {
  readonly product: RunningProduct
  /** A product whose visitors seem to come from other networks, so that all checks for bots are active. */
  readonly watchedProduct: RunningProduct
  /** See `lookedPage`. */
  readonly keptPage: Page
}

export interface Pages {
  /**
   * A page without cookies for tests that only look at pages. Navigation keeps its process, in which the engines of
   * tests/accessibility take two thirds of the time that they take in a new one.
   */
  readonly lookedPage: Page
}

const productWith =
  (env: Record<string, string>) =>
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the pattern's names
  async ({}, use: (product: RunningProduct) => Promise<void>) => {
    const product = await startProcess(env)
    await use(product)
    await product.stop()
  }

/**
 * All journeys share one kind of fixtures, because Playwright gives each kind its own workers.
 * A failed journey saves a screenshot of each open page. Playwright's own setting would take screenshots of every
 * journey and delete those of passed ones.
 */
export const test = base.extend<Pages, WorkersProducts>({
  page: async ({ page, browser }, use, testInfo) => {
    await use(page)
    await pictureFailed(browser, testInfo)
  },
  lookedPage: async ({ keptPage, browser }, use, testInfo) => {
    await keptPage.context().clearCookies()
    await keptPage.emulateMedia({ colorScheme: 'light' })
    await use(keptPage)
    await pictureFailed(browser, testInfo)
  },
  keptPage: [
    async ({ browser }, use) => {
      const context = await browser.newContext({
        ...devices['Desktop Chrome'],
        reducedMotion: 'reduce',
      })
      await use(await context.newPage())
      await context.close()
    },
    { scope: 'worker' },
  ],
  product: [productWith({ DELIVERY_RETRY_SCHEDULE: '200ms,200ms,200ms' }), { scope: 'worker' }],
  watchedProduct: [productWith({ TRUSTED_PROXIES: '127.0.0.1' }), { scope: 'worker' }],
})

async function pictureFailed(browser: Browser, testInfo: TestInfo) {
  if (testInfo.status === testInfo.expectedStatus) return
  const pages = browser.contexts().flatMap((context) => context.pages())
  for (const [index, open] of pages.entries()) {
    const path = testInfo.outputPath(`failed-${index + 1}.png`)
    await open.screenshot({ path })
    await testInfo.attach(`page ${index + 1}`, { path, contentType: 'image/png' })
  }
}
