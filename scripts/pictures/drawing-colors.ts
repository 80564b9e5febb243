import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteTexts } from '#content/site-texts.ts'
import type { Area } from '#domain/area.ts'
import { makeColorsCss } from '#site/shell/page-assets.ts'

const stylesheets = ['src/ui/tokens.css', 'src/site/landing/pictures/drawing-colors.css']

export type Scheme = 'light' | 'dark'

/** Custom properties by selector, as the stylesheets define them in one color scheme. Other media queries are ignored. */
export type Tokens = ReadonlyMap<string, ReadonlyMap<string, string>>

/** @param texts the areas' colors, which come after the stylesheets', as in a page */
export async function readTokens(
  root: string,
  texts: SiteTexts,
  scheme: Scheme = 'light',
): Promise<Tokens> {
  const read = stylesheets.map((path) => readFile(join(root, path), 'utf8'))
  return parseTokens([...(await Promise.all(read)), makeColorsCss(texts)].join('\n'), scheme)
}

export function parseTokens(css: string, scheme: Scheme = 'light'): Tokens {
  const plain = css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(
      /@media([^{]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/g,
      (_, query: string, rules: string) =>
        query.replaceAll(' ', '').includes(`prefers-color-scheme:${scheme}`) ? rules : '',
    )
  const rules = new Map<string, Map<string, string>>()
  for (const [, selector = '', block = ''] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const values = rules.get(selector.trim()) ?? new Map<string, string>()
    rules.set(selector.trim(), values)
    for (const [, name = '', value = ''] of block.matchAll(/--([\w-]+):\s*([^;]+)(?:;|$)/g)) {
      values.set(name, value)
    }
  }
  return rules
}

/**
 * Resolves a custom property's color in an area as a browser would, because the image library supports neither `var()`
 * nor `color-mix()`.
 * @returns `#rrggbb` or `#rgb`
 * @throws if the stylesheets do not define it
 */
export function findColor(tokens: Tokens, area: Area, name: string): string {
  const value = ['[data-drawing]', `[data-area="${area}"]`, ':root']
    .map((selector) => tokens.get(selector)?.get(name))
    .find((found) => found !== undefined)
  const color = value && mixColors(withColors(tokens, area, value))
  if (color === undefined || !/^#[\da-f]{3,6}$/.test(color)) {
    throw new Error(`--${name} isn’t a plain color in the stylesheets: ${value}`)
  }
  return color
}

/** Replaces each `var()` in a stylesheet or drawing by its color. */
export const withColors = (tokens: Tokens, area: Area, text: string): string =>
  text.replaceAll(/var\(--([\w-]+)\)/g, (_, name: string) => findColor(tokens, area, name))

function mixColors(value: string): string {
  const mix = /^color-mix\(in srgb, (#\w+) (\d+)%, (#\w+)\)$/.exec(value)
  if (!mix) return value
  const [, one = '', percent, other = ''] = mix
  const share = Number(percent) / 100
  const others = toChannels(other)
  const hex = toChannels(one).map((channel, index) =>
    Math.round(channel * share + (others[index] ?? 0) * (1 - share))
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${hex.join('')}`
}

/** Splits `#rrggbb` or `#rgb` into red, green and blue from 0 to 255. */
export function toChannels(color: string): number[] {
  const long = color.length === 4 ? color.replaceAll(/\w/g, '$&$&') : color
  return [1, 3, 5].map((start) => Number.parseInt(long.slice(start, start + 2), 16))
}
