import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { neutralColors } from '#content/colors.ts'
import { areas } from '#domain/area.ts'
import { shippedTexts } from '#tests/content/sample-texts.ts'
import { findColor, parseTokens, readTokens, toChannels, withColors } from './drawing-colors.ts'

const root = resolve(import.meta.dirname, '../..')
const texts = shippedTexts()

const css = `
:root { --accent: #fff; --tint: #000; }
[data-area="business"] { --accent: #ff0080; } /* { --accent: #111; } */
body { --near: color-mix(in oklab, var(--accent), var(--tint) 30%); }
@media (prefers-color-scheme: dark) { :root { --tint: #fff; } body { --near: #123456; } }
:root { --late: #abc; }
`
const tokens = parseTokens(css)

test('an area’s own color takes precedence over the site’s, and dark colors apply only in the dark scheme', () => {
  expect(findColor(tokens, 'business', 'accent')).toBe('#ff0080')
  expect(findColor(tokens, 'general', 'tint')).toBe('#000')
  const dark = parseTokens(css, 'dark')
  expect(findColor(dark, 'business', 'accent')).toBe('#ff0080')
  expect(findColor(dark, 'general', 'tint')).toBe('#fff')
})

test('a color mix equals the browser’s', () => {
  expect(findColor(tokens, 'business', 'near')).toBe('#9e004d')
  expect(withColors(tokens, 'general', '<path fill="var(--near)"/>')).toBe('<path fill="#9e9e9e"/>')
})

test('a color that no stylesheet defines is an error', () => {
  expect(() => findColor(tokens, 'general', 'nowhere')).toThrow('--nowhere')
})

test('the site’s own stylesheet gives every color of the drawings, in every area', async () => {
  const own = await readTokens(root, texts)
  for (const area of areas) {
    for (const name of ['s-top', 's-mid', 's-low', 's-sun', 's-r1', 's-r2', 's-r3', 's-r4']) {
      expect(findColor(own, area, name)).toMatch(/^#[\da-f]+$/)
    }
  }
})

test.each(['light', 'dark'] as const)(
  'colors outside of stylesheets equal theirs: %s',
  async (scheme) => {
    const own = await readTokens(root, texts, scheme)
    const { ground, groundDeep, paper, ink, inkQuiet, error } = neutralColors[scheme]
    const long = (name: string) =>
      findColor(own, 'general', name).replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
    expect([ground, groundDeep, paper, ink, inkQuiet, error]).toEqual(
      ['ground', 'ground-deep', 'paper', 'ink', 'ink-quiet', 'error'].map(long),
    )
  },
)

const schemes = ['light', 'dark'] as const
const inEach = schemes.flatMap((scheme) => areas.map((area) => ({ area, scheme })))
const textColors = ['ink', 'ink-quiet', 'error', 'accent-text']
const grounds = ['paper', 'ground', 'tint']

test.each(inEach)(
  '$area has its own colors with enough contrast in the $scheme scheme',
  async ({ area, scheme }) => {
    const own = await readTokens(root, texts, scheme)
    const contrast = (text: string, ground: string) =>
      contrastOf(findColor(own, area, text), findColor(own, area, ground))
    const faint = textColors.flatMap((text) =>
      grounds
        .filter((ground) => contrast(text, ground) < 4.5)
        .map((ground) => `${text} on ${ground}`),
    )
    expect(faint, 'WCAG 2.2, 1.4.3: text has 4.5 : 1').toEqual([])
    const others = areas.filter((other) => other !== area)
    for (const name of ['accent', 'accent-text', 'tint']) {
      // An area that is missing in the stylesheet gets the general area's colors, or in the dark scheme the light ones.
      expect(others.map((other) => findColor(own, other, name))).not.toContain(
        findColor(own, area, name),
      )
    }
  },
)

/** The contrast as WCAG 2.2 defines it, from 1 to 21. */
function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = toChannels(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
