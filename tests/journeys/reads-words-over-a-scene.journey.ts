import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { areaPath, areas } from '#domain/area.ts'
import { sampleTexts } from '../content/sample-texts.ts'
import { test } from './visit.ts'

interface Line {
  readonly text: string
  readonly color: readonly [number, number, number, number]
  readonly box: { x: number; y: number; width: number; height: number }
}

/** Runs in the page: returns every visible line of text of header and stage, outside the card, and hides the text. */
function takeLines(headline: string): Line[] {
  const stage = [...document.querySelectorAll('main > div')].find((part) =>
    part.textContent?.includes(headline),
  )
  document.adoptedStyleSheets = []
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const lines: Line[] = []
  for (const root of [document.querySelector('header'), stage]) {
    if (!root || !canvas) continue
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: node } = texts
      const parent = node.parentElement
      if (!node.nodeValue?.trim() || !parent || parent.closest('section, .skip-link, script'))
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = getComputedStyle(parent).color
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
      for (const { x, y, width, height } of range.getClientRects()) {
        // A visually hidden text has a clipped box of one pixel.
        if (width < 2 || parent.closest('[class*="long"]')?.getBoundingClientRect().width === 1)
          continue
        lines.push({
          text: node.nodeValue,
          color: [red, green, blue, alpha / 255],
          box: { x, y, width, height },
        })
      }
    }
  }
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { color: transparent !important }')
  document.adoptedStyleSheets = [sheet]
  return lines
}

const luminance = (channels: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The lowest contrast of a line with a pixel behind it. */
async function lowestContrast(picture: Buffer, { color, box }: Line): Promise<number> {
  const left = Math.floor(box.x)
  const top = Math.floor(box.y)
  const { data, info } = await sharp(picture)
    .extract({ left, top, width: Math.ceil(box.width), height: Math.ceil(box.height) })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [red, green, blue, alpha] = color
  let lowest = 21
  for (let at = 0; at < data.length; at += info.channels) {
    const behind = [...data.subarray(at, at + 3)]
    const text = [red, green, blue].map(
      (channel, index) => channel * alpha + (behind[index] ?? 0) * (1 - alpha),
    )
    const [dark = 0, light = 0] = [luminance(text), luminance(behind)].toSorted((a, b) => a - b)
    lowest = Math.min(lowest, (light + 0.05) / (dark + 0.05))
  }
  return lowest
}

async function contrasts(page: Page, headline: string) {
  const lines = await page.evaluate(takeLines, headline)
  expect(lines.length).toBeGreaterThan(5)
  const picture = await page.screenshot()
  return await Promise.all(
    lines.map(async (line) => ({
      text: line.text,
      contrast: await lowestContrast(picture, line),
    })),
  )
}

for (const area of areas) {
  test(`on the ${area} page, all words over the scene have a contrast of at least 4.5 : 1 at every width`, async ({
    page,
  }) => {
    await page.goto(areaPath(area))
    // The display font may move lines.
    await expect(page.locator('[data-display-font]')).toBeAttached()
    for (const width of [360, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const found = await contrasts(page, sampleTexts().areas[area].headline)
        const lowest = Math.min(...found.map(({ contrast }) => contrast))
        test.info().annotations.push({
          type: 'contrast',
          description: `${width} px, ${colorScheme}: ${lowest.toFixed(1)}`,
        })
        expect
          .soft(
            found.filter(({ contrast }) => contrast < 4.5),
            `${width} px, ${colorScheme}`,
          )
          .toEqual([])
      }
    }
  })
}
