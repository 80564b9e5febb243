import * as v from 'valibot'
import { type AreaColors, neutrals } from '#content/colors.ts'
import { fillIn } from '#content/fill-in.ts'
import type { AreaWords, Claim } from '#content/site-words.ts'
import { nameplates, strangePlaceholders, textsIn } from './placeholders.ts'
import { type Claims, claims } from './read-site.ts'
import { color, type LineFault, line, listOf, readYaml } from './read-yaml.ts'

/** One area's page: `content/<area>.yaml`. */
export const areaFile = v.strictObject({
  name: line(24),
  title: line(70),
  headline: line(60),
  lead: line(160),
  picture: line(125),
  colors: v.strictObject({
    accent: color,
    stage: v.optional(color),
    tint: v.optional(color),
    'dark-accent': v.optional(color),
    'dark-tint': v.optional(color),
  }),
  claims: v.optional(claims, {}),
  facts: v.optional(listOf(line(60), 1, 3), []),
  figures: listOf(line(40), 2, 4),
  reasons: listOf(v.strictObject({ topic: line(24), heading: line(40), text: line(280) }), 2, 4),
})

export type AreaFile = v.InferOutput<typeof areaFile>

/** Red, green and blue, 0 to 255. */
const channelsOf = (color: string): readonly number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

/**
 * Like `color-mix(in srgb, …)`.
 * @param share of the first, 0 to 1
 */
export function mix(one: string, share: number, other: string): string {
  const others = channelsOf(other)
  const hex = channelsOf(one).map((channel, index) =>
    Math.round(channel * share + (others[index] ?? 0) * (1 - share))
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${hex.join('')}`
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const { light, dark } = neutrals

/** The least contrast of a text on its background: WCAG 2.2, 1.4.3. */
const least = 4.5

/** The operator's colors; missing ones are made from the accent. */
export function areaColors(given: AreaFile['colors']): AreaColors {
  const { accent } = given
  return {
    accent,
    stage: given.stage ?? mix(accent, 0.76, '#000000'),
    tint: given.tint ?? mix(accent, 0.11, '#ffffff'),
    darkAccent: given['dark-accent'] ?? lightened(accent),
    darkTint: given['dark-tint'] ?? mix(accent, 0.3, dark.ground),
  }
}

/** Adds as little white as a text color needs in dark mode. */
function lightened(accent: string): string {
  const shares = Array.from({ length: 20 }, (_, step) => 1 - step * 0.05)
  const found = shares
    .map((share) => mix(accent, share, '#ffffff'))
    .find((color) => contrast(color, dark.paper) >= 8)
  return found ?? '#ffffff'
}

export interface ColorFault {
  /** Its key in the file. */
  readonly key: keyof AreaFile['colors']
  readonly message: string
}

/**
 * Each pair that a page shows and that could not be read, by the color that is to change. Colors
 * made from a faulty accent are not reported: correcting the accent corrects them, and their keys
 * are not in the file.
 */
export function colorFaults(colors: AreaColors, given: AreaFile['colors']): readonly ColorFault[] {
  const faults = everyFault(colors)
  if (!faults.some(({ key }) => key === 'accent')) return faults
  return faults.filter(({ key }) => given[key] !== undefined)
}

function everyFault(colors: AreaColors): readonly ColorFault[] {
  const { accent, stage, tint, darkAccent, darkTint } = colors
  const grounds = (scheme: typeof light | typeof dark, own: string) => [
    ['the page', scheme.ground],
    ['the deeper ground', scheme.groundDeep],
    ['the card', scheme.paper],
    ['the tint', own],
  ]
  const texts = (scheme: typeof light | typeof dark, ground: string) =>
    [
      ['text', scheme.ink],
      ['quiet text', scheme.inkQuiet],
      ['errors', scheme.error],
    ].map(([name, color]) => [name, color, ground])
  const pairs = (
    key: ColorFault['key'],
    found: readonly (readonly (string | undefined)[])[],
  ): readonly ColorFault[] =>
    found.flatMap(([what, one = '', other = '']) => {
      const ratio = contrast(one, other)
      if (ratio >= least) return []
      const message = `${key} cannot be read: ${what} has ${ratio.toFixed(1)} : 1, and ${least} : 1 is the least`
      return [{ key, message }]
    })
  return [
    ...pairs(
      'accent',
      grounds(light, tint).map(([on, color]) => [`it on ${on}`, accent, color]),
    ),
    ...pairs('stage', [
      ['the headline on it', '#ffffff', stage],
      ['the lead on it', mix('#ffffff', 0.84, stage), stage],
    ]),
    ...pairs(
      'tint',
      texts(light, tint).map(([name, one, other]) => [`${name} on it`, one, other]),
    ),
    ...pairs(
      'dark-accent',
      grounds(dark, darkTint).map(([on, color]) => [`it on ${on}`, darkAccent, color]),
    ),
    ...pairs(
      'dark-tint',
      texts(dark, darkTint).map(([name, one, other]) => [`${name} on it`, one, other]),
    ),
  ]
}

export interface ReadPart<Value> {
  /** Undefined where it could not be made; then there are faults. */
  readonly value: Value | undefined
  readonly faults: readonly LineFault[]
}

/**
 * Reads one area's file.
 * @param shared the claims of all pages; undefined if their file has faults
 */
export function readArea(text: string, shared: Claims | undefined): ReadPart<AreaWords> {
  const read = readYaml(text, areaFile)
  if (read.value === undefined) return read
  const { value: file, lineOf } = read
  const claims: Claims = { ...shared, ...file.claims }
  const colors = areaColors(file.colors)
  const faults: LineFault[] = []
  for (const { path, text } of textsIn(file)) {
    for (const message of strangePlaceholders(
      text,
      knownAt(String(path[0]), Object.keys(claims)),
    )) {
      // Only if the shared claims are known: the missing name may be one of them.
      if (shared !== undefined) faults.push({ line: lineOf(path), message })
    }
  }
  for (const [index, name] of file.figures.entries()) {
    if (shared === undefined || name in claims) continue
    const there = Object.keys(claims).join(', ')
    faults.push({
      line: lineOf(['figures', index]),
      message: `there is no claim ${name}: there are ${there}`,
    })
  }
  for (const { key, message } of colorFaults(colors, file.colors)) {
    faults.push({ line: lineOf(['colors', key]), message })
  }
  return { value: toWords(file, claims, colors), faults }
}

/** Sharing pictures contain some of the texts and are made before the names are known. */
function knownAt(key: string, claims: readonly string[]): readonly string[] {
  if (key === 'reasons' || key === 'lead') return [...nameplates, ...claims]
  if (key === 'facts') return ['programs', ...claims]
  return []
}

function toWords(file: AreaFile, claims: Claims, colors: AreaWords['colors']): AreaWords {
  const texts = Object.fromEntries(Object.entries(claims).map(([name, { text }]) => [name, text]))
  const { name, title, headline, lead, picture } = file
  return {
    name,
    title,
    headline,
    lead: fillIn(lead, texts),
    picture,
    colors,
    facts: file.facts.map((fact) => fillIn(fact, texts)),
    figures: file.figures
      .map((name) => claims[name])
      .filter((claim): claim is Claim => claim !== undefined),
    reasons: file.reasons.map((reason) => ({ ...reason, text: fillIn(reason.text, texts) })),
  }
}
