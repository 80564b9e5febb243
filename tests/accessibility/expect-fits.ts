import { expect, type Page } from '@playwright/test'
import { howItFits } from './how-it-fits.ts'

/**
 * Window sizes: a small laptop, a phone, and phones with an open keyboard or a magnified page, where a toast once
 * covered the fields.
 */
const sizes = [
  { width: 1280, height: 720 },
  { width: 375, height: 667 },
  { width: 320, height: 390 },
]

/** The text spacing of WCAG 1.4.12. */
const textSpacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }'

const well = { tooWide: 0, covered: [], tooSmall: [] }

/**
 * Expects that the current page scrolls in one direction only (WCAG 1.4.10), covers no focused element (2.4.11), and
 * has no target under 24 pixels (2.5.8): at each size, with wider text (1.4.12) and with text twice as large (1.4.4).
 */
export async function expectFits(page: Page, screen: string) {
  const before = page.viewportSize()
  for (const size of sizes) {
    await page.setViewportSize(size)
    const at = `${screen}, ${size.width} × ${size.height}`
    expect(await page.evaluate(howItFits, ''), at).toEqual(well)
  }
  expect(await page.evaluate(howItFits, textSpacing), `${screen}, text spacing`).toEqual(well)

  await page.setViewportSize({ width: 1280, height: 720 })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  expect(await tooWide(page), `${screen}, type twice as large`).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 375, height: 667 })
  const onPhone = await page.evaluate(howItFits, '')
  expect(onPhone, `${screen}, type twice as large on a phone`).toEqual(well)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } })
  await devtools.detach()
  if (before) await page.setViewportSize(before)
}

/** How many pixels the page is wider than its window. */
const tooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
