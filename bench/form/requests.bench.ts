import type { Page, Request } from '@playwright/test'
import { expectThanks, fillAll, send } from '../../tests/journeys/fill-steps.ts'
import type { Bench } from '../bench.ts'
import { plainFigure } from '../figure.ts'
import { untilHydrated, watchHydration } from './hydration.ts'
import { onPhone } from './phone.ts'
import { visitor } from './visitor.ts'

export const requests: Bench = {
  name: 'requests',
  title: 'Requests',
  async measure({ product, browser }) {
    const before = await onPhone(browser, {}, async (page) => {
      const sent: { readonly url: string; readonly at: number }[] = []
      page.on('request', (request) => {
        if (isOverHttp(request)) sent.push({ url: request.url(), at: Date.now() })
      })
      await watchHydration(page)
      await page.goto(product.url)
      const hydratedAt = await untilHydrated(page)
      const origin = await page.evaluate(() => performance.timeOrigin)
      // The page loads its display font and the measuring once the form runs, often before we hear of it.
      return sent.filter(({ at }) => at <= origin + hydratedAt).map(({ url }) => url)
    })
    const foreign = await onPhone(browser, {}, async (page) => {
      const urls = recordRequests(page)
      await watchHydration(page)
      await page.goto(product.url)
      await untilHydrated(page)
      await fillAll(page, visitor())
      const answered = page.waitForResponse(/\/api\/leads$/)
      await send(page)
      await answered
      const seen = urls.filter((url) => new URL(url).origin !== product.url)
      await expectThanks(page)
      return seen
    })
    return [
      plainFigure({
        // Stricter than necessary: visitors can use the form from the first paint on.
        name: 'requests until the form is hydrated',
        value: before.length,
        measured: `${before.length} (${before.map(nameOf).join(', ')})`,
        unit: '',
        limit: { atMost: 4 },
      }),
      plainFigure({
        name: 'requests to other origins before the thank-you screen',
        value: foreign.length,
        measured: [foreign.length, ...foreign.map((url) => new URL(url).origin)].join(' '),
        unit: '',
        limit: { atMost: 0 },
      }),
    ]
  },
}

function recordRequests(page: Page): string[] {
  const urls: string[] = []
  page.on('request', (request) => {
    if (isOverHttp(request)) urls.push(request.url())
  })
  return urls
}

/** A data: address causes no request. */
const isOverHttp = (request: Request): boolean => /^https?:/.test(request.url())

const nameOf = (url: string): string =>
  new URL(url).pathname.replace(/.*\/(?=.)|-[\w-]{8}(?=\.)/g, '')
