import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { areas } from '#domain/area.ts'
import { stageColors, themeColors } from '#site/shell/theme-colors.ts'
import { lightColor, parseTokens, readTokens, withColors } from './drawing-colors.ts'

const css = `
:root { --accent: #fff; --tint: #000; }
[data-area="business"] { --accent: #ff0080; } /* { --accent: #111; } */
[data-drawing] { --near: color-mix(in srgb, var(--accent) 50%, var(--tint)); }
@media (prefers-color-scheme: dark) { :root { --tint: #fff; } [data-drawing] { --near: #123456; } }
:root { --late: #abc; }
`
const tokens = parseTokens(css)

test('an area’s own color comes before the site’s, and the dark scheme counts for nothing', () => {
  expect(lightColor(tokens, 'business', 'accent')).toBe('#ff0080')
  expect(lightColor(tokens, 'general', 'tint')).toBe('#000')
})

test('a mix is what a browser makes of it', () => {
  expect(lightColor(tokens, 'business', 'near')).toBe('#800040')
  expect(withColors(tokens, 'general', '<path fill="var(--near)"/>')).toBe('<path fill="#808080"/>')
})

test('a color that no stylesheet has is a fault', () => {
  expect(() => lightColor(tokens, 'general', 'nowhere')).toThrow('--nowhere')
})

test('the site’s own stylesheets give every color of the drawings, in every area', async () => {
  const own = await readTokens(resolve(import.meta.dirname, '../..'))
  for (const area of areas) {
    for (const name of [
      'sky',
      'far',
      'mid',
      'near',
      'deep',
      'pale',
      'glow',
      'accent-text',
      'ink',
    ]) {
      expect(lightColor(own, area, name)).toMatch(/^#[\da-f]+$/)
    }
    expect(lightColor(own, area, 'accent-strong')).toBe(stageColors[area])
  }
  expect(lightColor(own, 'general', 'ground')).toBe(themeColors.light)
})
