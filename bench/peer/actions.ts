import type { Browser, Page } from '@playwright/test'
import { onPhone } from '../form/phone.ts'

/** The times of one visit in milliseconds; the first three count from the start of the navigation. */
export interface ActionTimes {
  /** The first frame that shows the first field without scrolling. */
  readonly firstField: number
  readonly largestPaint: number
  /** When the first field is visible and the page's script reacts to Next. */
  readonly usable: number
  /** From a key to the frame that shows it: the median of several keys. */
  readonly keystroke: number
  /** From a press of Next on the empty step to the next paint. */
  readonly next: number
}

export interface FormPage {
  readonly url: string
  readonly field: string
  readonly next: string
  /** What the page shows after Next on the empty step. */
  readonly error: string
  /**
   * The event with which the page announces that its script is ready; without one, the script is ready with the first
   * field.
   */
  readonly usableEvent?: string
}

declare global {
  interface Window {
    actions?: {
      firstField?: number
      usable?: number
      largest: number
      keys: number[]
      presses: number[]
    }
  }
}

const typed = 'Bartholomew Max'
const warmUpKeys = 5

/** Visits the page on a slow phone, types into its first field, empties the field and presses Next. */
export function visit(browser: Browser, form: FormPage): Promise<ActionTimes> {
  return onPhone(browser, { cpu: true, network: true }, async (page) => {
    await page.addInitScript(watch, { field: form.field, usableEvent: form.usableEvent })
    await page.goto(form.url, { waitUntil: 'commit' })
    await page.waitForFunction(() => window.actions?.firstField && window.actions.usable)
    await page.waitForLoadState('networkidle')
    const field = page.locator(form.field).first()
    await field.tap()
    await page.waitForLoadState('networkidle')
    await page.keyboard.type(typed, { delay: 60 })
    await page.waitForFunction((count) => window.actions?.keys.length === count, typed.length)
    const keystroke = await page.evaluate(
      (skip) => window.actions?.keys.slice(skip).sort((a, b) => a - b)[4] ?? Number.NaN,
      warmUpKeys,
    )
    await field.fill('')
    const next = await press(page, form)
    const times = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      firstField: window.actions?.firstField ?? Number.NaN,
      usable: window.actions?.usable ?? Number.NaN,
      largestPaint: window.actions?.largest ?? Number.NaN,
    }))
    const firstField = Math.max(times.firstField, times.painted)
    return {
      firstField,
      largestPaint: times.largestPaint,
      usable: Math.max(firstField, times.usable),
      keystroke,
      next,
    }
  })
}

async function press(page: Page, { next, error }: FormPage): Promise<number> {
  await page.evaluate(() => window.actions?.presses.splice(0))
  await page.locator(next).first().tap()
  await page.locator(error).first().waitFor()
  const pressed = await page.waitForFunction(() => window.actions?.presses[0])
  return Number(await pressed.jsonValue())
}

/** Runs in the page. */
function watch({ field, usableEvent }: { field: string; usableEvent: string | undefined }): void {
  const actions: NonNullable<Window['actions']> = { largest: 0, keys: [], presses: [] }
  window.actions = actions
  if (usableEvent) {
    const onUsable = () => {
      actions.usable = performance.now()
    }
    document.addEventListener(usableEvent, onUsable, { once: true })
  }
  const onFrame = () => {
    const box = document.querySelector(field)?.getBoundingClientRect()
    if (box && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight) {
      actions.firstField = performance.now()
      if (!usableEvent) actions.usable = actions.firstField
    } else requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
  new PerformanceObserver((list) => {
    actions.largest = list.getEntries().at(-1)?.startTime ?? 0
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  const untilFrame = (since: number, times: number[]) =>
    requestAnimationFrame(() => {
      // The browser handles a message after the frame.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => times.push(performance.now() - since)
      port2.postMessage(null)
    })
  const capture = { capture: true }
  addEventListener('keydown', ({ timeStamp }) => untilFrame(timeStamp, actions.keys), capture)
  addEventListener('click', ({ timeStamp }) => untilFrame(timeStamp, actions.presses), capture)
}
