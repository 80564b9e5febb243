import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteTexts } from '#content/site-texts.ts'
import type { Area } from '#domain/area.ts'
import { makeColorsCss } from '#site/shell/page-assets.ts'

const stylesheet = 'src/ui/tokens.css'

export type Scheme = 'light' | 'dark'

/** Custom properties by selector, as the stylesheet defines them in one color scheme. Other media queries are ignored. */
export type Tokens = ReadonlyMap<string, ReadonlyMap<string, string>>

/** @param texts the areas' colors, which come after the stylesheet's, as in a page */
export async function readTokens(
  root: string,
  texts: SiteTexts,
  scheme: Scheme = 'light',
): Promise<Tokens> {
  const css = await readFile(join(root, stylesheet), 'utf8')
  return parseTokens([css, makeColorsCss(texts)].join('\n'), scheme)
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
 * @throws if the stylesheet does not define it
 */
export function findColor(tokens: Tokens, area: Area, name: string): string {
  const value = [`[data-area="${area}"]`, 'body', ':root']
    .map((selector) => tokens.get(selector)?.get(name))
    .find((found) => found !== undefined)
  const color = value && withColors(tokens, area, value)
  if (color === undefined || !/^#[\da-f]{3,6}$/.test(color)) {
    throw new Error(`--${name} isn’t a plain color in the stylesheet: ${value}`)
  }
  return color
}

/** Replaces each `var()`, and then each `color-mix()`, in a stylesheet or drawing by its color. */
export const withColors = (tokens: Tokens, area: Area, text: string): string =>
  text
    .replaceAll(/var\(--([\w-]+)\)/g, (_, name: string) => findColor(tokens, area, name))
    .replaceAll(
      /color-mix\(in oklab, ?(#\w+)(?: (\d+)%)?, ?(#\w+)(?: (\d+)%)?\)/g,
      (_, one: string, percent: string | undefined, other: string, rest: string | undefined) =>
        mixColors(one, other, Number(percent ?? 100 - Number(rest)) / 100),
    )

/** @param share of the first color in the mix, from 0 to 1 */
function mixColors(one: string, other: string, share: number): string {
  const others = toOklab(other)
  const mixed = toOklab(one).map((part, index) => part * share + (others[index] ?? 0) * (1 - share))
  const hex = fromOklab(mixed).map((channel) =>
    Math.round(Math.min(255, Math.max(0, channel)))
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${hex.join('')}`
}

/** Multiplies a matrix, given by its rows, with a color. */
const multiply = (rows: readonly (readonly number[])[], [a = 0, b = 0, c = 0]: readonly number[]) =>
  rows.map(([x = 0, y = 0, z = 0]) => x * a + y * b + z * c)

/** Converts a color to Oklab's lightness and two axes: https://bottosson.github.io/posts/oklab. */
const toOklab = (color: string): number[] =>
  multiply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    multiply(
      [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
      ],
      toChannels(color).map((channel) =>
        channel <= 10.31475 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
      ),
    ).map(Math.cbrt),
  )

/** Converts Oklab to red, green and blue from 0 to 255; colors that no screen shows lie outside. */
const fromOklab = (lab: readonly number[]): number[] =>
  multiply(
    [
      [4.0767416621, -3.3077115913, 0.2309699292],
      [-1.2684380046, 2.6097574011, -0.3413193965],
      [-0.0041960863, -0.7034186147, 1.707614701],
    ],
    multiply(
      [
        [1, 0.3963377774, 0.2158037573],
        [1, -0.1055613458, -0.0638541728],
        [1, -0.0894841775, -1.291485548],
      ],
      lab,
    ).map((part) => part ** 3),
  ).map((light) => 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055))

/** Splits `#rrggbb` or `#rgb` into red, green and blue from 0 to 255. */
export function toChannels(color: string): number[] {
  const long = color.length === 4 ? color.replaceAll(/\w/g, '$&$&') : color
  return [1, 3, 5].map((start) => Number.parseInt(long.slice(start, start + 2), 16))
}
