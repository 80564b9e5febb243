import { test as base } from '@playwright/test'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'

interface Fixtures {
  /** A person of the test's own, so that no two tests are one enquiry. */
  readonly email: string
}

/** A browser at a product of its own: one process for each of the runner's workers. */
export const test = base.extend<Fixtures, { product: RunningProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the pattern's names
    async ({}, use) => {
      const product = await startProcess({ DELIVERY_RETRY_SCHEDULE: '200ms,200ms,200ms' })
      await use(product)
      await product.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the pattern's names
  email: async ({}, use, { testId }) => use(`visitor.${testId}@example.com`),
})
