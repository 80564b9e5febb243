import type { Browser } from '@playwright/test'
import { untilHydrated, watchHydration } from './hydration.ts'
import { onPhone } from './phone.ts'

interface FirstTyping {
  /** The page's first contentful paint, in milliseconds since the navigation began. */
  readonly paintedAt: number
  /** When the field was painted and had accepted a letter, in milliseconds since the navigation began. */
  readonly acceptedAt: number
  /** Whether React was not running yet. */
  readonly isBeforeHydration: boolean
}

declare global {
  interface Window {
    firstTyping?: Pick<FirstTyping, 'acceptedAt' | 'isBeforeHydration'>
  }
}

/**
 * Types into the first field in the first frame that shows it, and continues with the keyboard while React loads. The
 * page types the first letter itself, because the browser's driver would add its own delay.
 * @throws if hydration loses the typed text
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
    // A frame needs some time from the page to the screen.
    return { ...first, paintedAt, acceptedAt: Math.max(first.acceptedAt, paintedAt) }
  })
}

/** Runs in the page. */
function typeWhenShown(): void {
  const afterFrame = () => {
    const field = document.querySelector<HTMLInputElement>('input[name=firstName]')
    const box = field?.getBoundingClientRect()
    // The field counts as seen if it is on the screen without scrolling.
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
      // The browser handles a message after the frame; a timer would wait 4 ms more.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = afterFrame
      port2.postMessage(null)
    })
  onFrame()
}
