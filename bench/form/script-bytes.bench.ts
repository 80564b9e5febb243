import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { buildBarePage } from '../bare-page/build-bare-page.ts'
import type { Bench } from '../bench.ts'
import { plainFigure, ratioFigure } from '../figure.ts'
import { legalPages } from '../pages/pages.ts'
import { untilHydrated, watchHydration } from './hydration.ts'
import { onPhone } from './phone.ts'

/** Measures the transferred bytes of script on pages that nobody touches. */
export const scriptBytes: Bench = {
  name: 'script-bytes',
  title: 'Bytes of script',
  async measure({ product, browser, folder }) {
    const bare = await buildBarePage('hydrate.ts', join(folder, 'bare'))
    const ours = await onPhone(browser, {}, async (page) => {
      await watchHydration(page)
      return scriptsOf(page, `${product.url}/`, () => untilHydrated(page))
    })
    const measuring = ours.filter(({ url }) => url.includes('/measure-'))
    let legal = 0
    for (const path of legalPages) {
      const scripts = await onPhone(browser, {}, (page) => scriptsOf(page, product.url + path))
      legal += sum(scripts)
    }
    return [
      ratioFigure({
        name: 'JavaScript on a landing page, untouched, brotli',
        ours: sum(ours),
        reference: bare.get('/bare.js')?.body.length ?? Number.NaN,
        against: 'bare hydrateRoot page',
        unit: 'B',
        limit: { atMost: 1.12 },
      }),
      plainFigure({
        name: 'JavaScript that measures the visit, untouched, brotli',
        value: sum(measuring),
        unit: 'B',
        limit: { atMost: 400 },
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

interface Script {
  /** Empty for a script within the page. */
  readonly url: string
  readonly size: number
}

const sum = (scripts: readonly Script[]): number =>
  scripts.reduce((total, { size }) => total + size, 0)

/** Adds up the scripts that the page loaded and those within the page. */
async function scriptsOf(
  page: Page,
  url: string,
  until?: () => Promise<unknown>,
): Promise<Script[]> {
  const scripts: Promise<Script>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    const found = request.sizes().then(({ responseBodySize }) => ({
      ...{ url: request.url(), size: responseBodySize },
    }))
    scripts.push(found)
  })
  await page.goto(url, { waitUntil: 'load' })
  await until?.()
  // Scripts that an idle page still requests count, too.
  await page.waitForLoadState('networkidle')
  const inline = await page.evaluate(() =>
    [...document.scripts]
      .filter(({ type, src }) => src === '' && ['', 'module', 'text/javascript'].includes(type))
      .map(({ text }) => ({ url: '', size: text.length })),
  )
  return [...(await Promise.all(scripts)), ...inline]
}
