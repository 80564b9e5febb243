import type { Browser } from '@playwright/test'
import type { Bench } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { serveWithoutScripts } from '../served/serve-without-scripts.ts'
import { untilHydrated, watchHydration } from './hydration.ts'
import { onPhone } from './phone.ts'

declare global {
  interface Window {
    /** For each key so far, the milliseconds from the key to the frame that shows it. */
    keystrokes?: number[]
  }
}

const typed = 'Bartholomew Maximilian Alexander'

/** Compares a key in the form's first field with a key in the same page without scripts. */
export const keystroke: Bench = {
  name: 'keystroke',
  title: 'Next paint after a keystroke',
  async measure({ product, browser, runs, atEnd }) {
    const bare = await serveWithoutScripts(product.url)
    atEnd(bare.stop)
    const ours: number[] = []
    const reference: number[] = []
    for (let run = 0; run < runs; run++) {
      ours.push(median(await type(browser, product.url, { isHydrated: true })))
      reference.push(median(await type(browser, bare.url, { isHydrated: false })))
    }
    return [
      ratioFigure({
        name: 'next paint after a keystroke, 6 × slowed CPU',
        ours: median(ours),
        reference: median(reference),
        against: "the same page's field without script",
        unit: 'ms',
        limit: { atMost: 1.25 },
        samples: { ours, reference },
      }),
    ]
  },
}

/** @returns milliseconds for each key, without the first keys, during which the page still warms up */
const type = (
  browser: Browser,
  url: string,
  { isHydrated }: { isHydrated: boolean },
): Promise<readonly number[]> =>
  onPhone(browser, { cpu: true }, async (page) => {
    await watchHydration(page)
    await page.addInitScript(watchKeys)
    await page.goto(url)
    if (isHydrated) await untilHydrated(page)
    const field = page.locator('input[name=firstName]')
    await field.tap()
    await page.waitForLoadState('networkidle')
    await page.keyboard.type(typed, { delay: 60 })
    await page.waitForFunction((count) => window.keystrokes?.length === count, typed.length)
    return (await page.evaluate(() => window.keystrokes ?? [])).slice(5)
  })

/** Runs in the page. Event Timing reports steps of 8 ms, which is too coarse for this bound. */
function watchKeys(): void {
  const times: number[] = []
  window.keystrokes = times
  addEventListener(
    'keydown',
    (key) => {
      requestAnimationFrame(() => {
        // The browser handles a message after the frame.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => times.push(performance.now() - key.timeStamp)
        port2.postMessage(null)
      })
    },
    { capture: true },
  )
}
