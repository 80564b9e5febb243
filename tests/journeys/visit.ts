import type { Page } from '@playwright/test'
import { test as base } from './pictured-test.ts'

declare global {
  interface Window {
    /** The steps that the form has announced since the page loaded. */
    heardSteps?: number[]
  }
}

interface Fixtures {
  /** An address for this test only, so that no two tests send the same enquiry. */
  readonly email: string
}

/** A browser at the worker's product. */
export const test = base.extend<Fixtures>({
  baseURL: async ({ product }, use) => use(product.url),
  context: async ({ context }, use) => {
    await context.addInitScript(() => {
      const heard: number[] = []
      window.heardSteps = heard
      document.addEventListener('enquiry:step', (event) =>
        heard.push((event as CustomEvent<{ step: number }>).detail.step),
      )
    })
    await use(context)
  },
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the pattern's names
  email: async ({}, use, { testId }) => use(`visitor.${testId}@example.com`),
})

/** Waits until the form's script announces its first step. Before that, buttons post the form. */
export const untilAlive = (page: Page) =>
  page.waitForFunction(() => (window.heardSteps ?? []).length > 0)

export async function visit(page: Page, path = '/') {
  await page.goto(path)
  await untilAlive(page)
}

export const heardSteps = (page: Page) => page.evaluate(() => window.heardSteps ?? [])
