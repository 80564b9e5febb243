import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { buildBarePage } from '../bare-page/build-bare-page.ts'
import type { Bench } from '../bench.ts'
import { plainFigure, ratioFigure } from '../figure.ts'
import { legalPages } from '../pages/pages.ts'
import { untilHydrated, watchHydration } from './hydration.ts'
import { onPhone } from './phone.ts'

/** Bytes of script as they travel, on pages that nobody touches. */
export const scriptBytes: Bench = {
  name: 'script-bytes',
  title: 'Bytes of script',
  async measure({ product, browser, folder }) {
    const bare = await buildBarePage('hydrate.ts', join(folder, 'bare'))
    const ours = await onPhone(browser, {}, async (page) => {
      await watchHydration(page)
      return scriptsOf(page, `${product.url}/`, () => untilHydrated(page))
    })
    let legal = 0
    for (const path of legalPages) {
      legal += await onPhone(browser, {}, (page) => scriptsOf(page, product.url + path))
    }
    return [
      ratioFigure({
        name: 'JavaScript on a landing page, untouched, brotli',
        ours,
        reference: bare.get('/bare.js')?.body.length ?? Number.NaN,
        against: 'bare hydrateRoot page',
        unit: 'B',
        limit: { atMost: 1.15 },
      }),
      plainFigure({
        name: 'JavaScript on the legal pages',
        value: legal,
        unit: 'B',
        limit: { atMost: 0 },
      }),
    ]
  },
}

/** What came over the wire as script, and what stands in the page as such. */
async function scriptsOf(page: Page, url: string, until?: () => Promise<unknown>): Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.goto(url, { waitUntil: 'load' })
  await until?.()
  // What the page still asks for when it is idle counts too.
  await page.waitForLoadState('networkidle')
  const inline = await page.evaluate(() =>
    [...document.scripts]
      .filter(({ type, src }) => src === '' && ['', 'module', 'text/javascript'].includes(type))
      .map(({ text }) => text.length),
  )
  return [...(await Promise.all(sizes)), ...inline].reduce((sum, size) => sum + size, 0)
}
