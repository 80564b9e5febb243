import type { Browser } from '@playwright/test'
import { onPhone } from '../form/phone.ts'

declare global {
  interface Window {
    fieldSeenAt?: number
  }
}

/** @returns milliseconds from the navigation's begin until a frame shows the first field without scrolling */
export function firstFieldSeen(browser: Browser, url: string, selector: string): Promise<number> {
  return onPhone(browser, { cpu: true, network: true }, async (page) => {
    await page.addInitScript(watch, selector)
    await page.goto(url, { waitUntil: 'commit' })
    const seen = await page.waitForFunction(() => window.fieldSeenAt)
    const paintedAt = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    )
    return Math.max(Number(await seen.jsonValue()), paintedAt)
  })
}

/** Runs in the page. */
function watch(selector: string): void {
  const onFrame = () => {
    const box = document.querySelector(selector)?.getBoundingClientRect()
    if (box && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight) {
      window.fieldSeenAt = performance.now()
    } else requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
}
