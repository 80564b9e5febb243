import { test as base } from '@playwright/test'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'

/** Started where a journey first asks for one, for all that its worker does after. */
export interface WorkersProducts {
  readonly product: RunningProduct
  /** Its visitors come from somewhere else, so that all that is watched for is watched for. */
  readonly watchedProduct: RunningProduct
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
 * All journeys are of one kind to the runner, which has a worker do nothing but one kind.
 *
 * A journey that fails leaves a picture of each page that is open then. The runner's own setting takes one of every
 * journey, and throws it away where it was well.
 */
export const test = base.extend<object, WorkersProducts>({
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
  product: [productWith({ DELIVERY_RETRY_SCHEDULE: '200ms,200ms,200ms' }), { scope: 'worker' }],
  watchedProduct: [productWith({ TRUSTED_PROXIES: '127.0.0.1' }), { scope: 'worker' }],
})
