import type { Browser } from '@playwright/test'
import { untilHydrated, watchHydration } from './hydration.ts'
import { onPhone } from './phone.ts'

interface FirstTyping {
  /** The page's first contentful paint, in milliseconds since the navigation began. */
  readonly paintedAt: number
  /** When the field had been painted and had taken a letter, in the same. */
  readonly acceptedAt: number
  /** Whether React was not there yet. */
  readonly isBeforeHydration: boolean
}

declare global {
  interface Window {
    firstTyping?: Pick<FirstTyping, 'acceptedAt' | 'isBeforeHydration'>
  }
}

/**
 * Types into the first field in the first frame that shows it, and goes on by keyboard while React comes. The first
 * letter comes from within the page: a browser's driver would add its own way to and fro.
 * @throws where what was typed is not there after hydration
 */
export function typeAtFirstPaint(browser: Browser, url: string): Promise<FirstTyping> {
  return onPhone(browser, { cpu: true, network: true }, async (page) => {
    await watchHydration(page)
    await page.addInitScript(typeWhenShown)
    await page.goto(url, { waitUntil: 'commit' })
    const typed = await page.waitForFunction(() => window.firstTyping)
    const first = await typed.jsonValue()
    await page.keyboard.type('da')
    await untilHydrated(page)
    const value = await page.locator('input[name=firstName]').inputValue()
    if (value !== 'Ada') throw new Error(`of "Ada", typed at the first paint, "${value}" was kept`)
    const paintedAt = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    )
    if (first === undefined || paintedAt === undefined) throw new Error('nothing was painted')
    // A frame is on its way to the screen for a while after the page has made it.
    return { ...first, paintedAt, acceptedAt: Math.max(first.acceptedAt, paintedAt) }
  })
}

/** Runs in the page. */
function typeWhenShown(): void {
  const afterFrame = () => {
    const field = document.querySelector<HTMLInputElement>('input[name=firstName]')
    const box = field?.getBoundingClientRect()
    // Seen: on the screen without scrolling.
    if (field && box && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight) {
      field.focus()
      if (document.execCommand('insertText', false, 'A') && field.value === 'A') {
        window.firstTyping = {
          acceptedAt: performance.now(),
          isBeforeHydration: window.hydratedAt === undefined,
        }
        return
      }
    }
    onFrame()
  }
  const onFrame = () =>
    requestAnimationFrame(() => {
      // A message is handled once the frame is made; a timer would wait 4 ms more.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = afterFrame
      port2.postMessage(null)
    })
  onFrame()
}
