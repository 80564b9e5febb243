import type { AreaColors } from '#content/area-colors.ts'
import { neutrals } from '#content/neutral-colors.ts'
import type { AreaFile } from './area-file.ts'
import { contrast, mix } from './color-math.ts'

const { light, dark } = neutrals

/** What a text has on its ground at least: WCAG 2.2, 1.4.3. */
const least = 4.5

/** What the operator gives, and from the accent what they do not. */
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

/** As little white as makes it a text's color in the dark. */
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
 * Each pair that a page shows and that could not be read, by the color that is to change. What was made from an accent at
 * fault is not told: it comes right with the accent, and its key stands nowhere in the file.
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
