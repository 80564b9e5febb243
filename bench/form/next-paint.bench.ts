import { type Browser, errors, type Page } from '@playwright/test'
import {
  expectStep,
  expectThanks,
  fillAboutYou,
  fillAddress,
  fillProgram,
  fillYourEducation,
} from '../../tests/journeys/fill-steps.ts'
import type { Bench } from '../bench.ts'
import { plainFigure, quantity } from '../figure.ts'
import { median } from '../median.ts'
import { untilHydrated, watchHydration } from './hydration.ts'
import { onPhone } from './phone.ts'
import { visitor } from './visitor.ts'

declare global {
  interface Window {
    /** For each press of the form's main button so far, the milliseconds from the press to the next paint. */
    nextPaints?: number[]
  }
}

/** Event Timing reports no shorter duration. */
const leastReportedMs = 16
const reportedWithinMs = 5000

/** Presses Next on each step, and Agree & Continue on the last. */
export const nextPaint: Bench = {
  name: 'next-paint',
  title: 'Next paint after Next',
  async measure({ product, browser, runs }) {
    const journeys: number[][] = []
    for (let run = 0; run < runs; run++) journeys.push(await pressThrough(browser, product.url))
    const steps = [0, 1, 2, 3].map((step) => journeys.map((times) => times[step] ?? Number.NaN))
    const medians = steps.map(median)
    return [
      plainFigure({
        name: 'next paint after Next, 6 × slowed CPU, slowest step',
        value: Math.max(...medians),
        measured: `${medians.map((ms) => quantity(ms, '')).join(' / ')} ms (steps 1 to 4)`,
        unit: 'ms',
        samples: Object.fromEntries(steps.map((times, step) => [`step ${step + 1}`, times])),
      }),
    ]
  },
}

const pressThrough = (browser: Browser, url: string): Promise<number[]> =>
  onPhone(browser, { cpu: true }, async (page) => {
    const person = visitor()
    const times: number[] = []
    const press = async () => times.push(await timeOfPress(page))
    await watchHydration(page)
    await page.addInitScript(watchPresses, leastReportedMs)
    await page.goto(url)
    await untilHydrated(page)
    await fillAboutYou(page, person)
    await press()
    await expectStep(page, 2)
    await fillAddress(page, person)
    await press()
    await expectStep(page, 3)
    await fillYourEducation(page, person)
    await press()
    await expectStep(page, 4)
    await fillProgram(page, person)
    await press()
    await expectThanks(page)
    return times
  })

async function timeOfPress(page: Page): Promise<number> {
  await page.evaluate(() => {
    window.nextPaints = []
  })
  await page.locator('button[name=move][value=next]').tap()
  const reported = page.waitForFunction(() => window.nextPaints?.[0], undefined, {
    timeout: reportedWithinMs,
  })
  return reported.then(
    async (handle) => Number(await handle.jsonValue()),
    (error: unknown) => {
      if (error instanceof errors.TimeoutError) return leastReportedMs
      throw error
    },
  )
}

/** Runs in the page. Event Timing reports durations in steps of 8 ms. */
function watchPresses(leastMs: number): void {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName('click')) window.nextPaints?.push(entry.duration)
  }).observe({ type: 'event', durationThreshold: leastMs } as PerformanceObserverInit)
}
