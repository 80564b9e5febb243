import type { Browser } from '@playwright/test'
import { untilHydrated, watchHydration } from './hydration.ts'
import { onPhone } from './phone.ts'

declare global {
  interface Window {
    /** Milliseconds since the navigation began. */
    firstField?: { readonly paintedAt: number; readonly acceptedAt: number }
  }
}

/**
 * Types into the first field as soon as the page is painted, long before React comes, and goes on by keyboard. The
 * typing starts within the page: a browser's driver would add its own way to and fro.
 * @returns milliseconds since the navigation began
 * @throws where what was typed is not there after hydration
 */
export function typeAtFirstPaint(
  browser: Browser,
  url: string,
): Promise<{ paintedAt: number; acceptedAt: number }> {
  return onPhone(browser, { cpu: true, network: true }, async (page) => {
    await watchHydration(page)
    await page.addInitScript(typeWhenPainted)
    await page.goto(url, { waitUntil: 'commit' })
    const typed = await page.waitForFunction(() => window.firstField)
    const times = await typed.jsonValue()
    const hydratedAtTyping = await page.evaluate(() => window.hydratedAt)
    await page.keyboard.type('da')
    await untilHydrated(page)
    const value = await page.locator('input[name=firstName]').inputValue()
    if (value !== 'Ada') throw new Error(`of "Ada", typed at the first paint, "${value}" was kept`)
    if (times === undefined || hydratedAtTyping !== undefined) {
      throw new Error('the form was hydrated before anything could be typed')
    }
    return times
  })
}

/** Runs in the page. */
function typeWhenPainted(): void {
  const tryNow = (paintedAt: number) => {
    const field = document.querySelector<HTMLInputElement>('input[name=firstName]')
    const box = field?.getBoundingClientRect()
    // Seen: on the screen without scrolling.
    if (field && box && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight) {
      field.focus()
      if (document.execCommand('insertText', false, 'A') && field.value === 'A') {
        window.firstField = { paintedAt, acceptedAt: performance.now() }
        return
      }
    }
    requestAnimationFrame(() => setTimeout(tryNow, 0, paintedAt))
  }
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint')
    if (paint) tryNow(paint.startTime)
  }).observe({ type: 'paint', buffered: true })
}
