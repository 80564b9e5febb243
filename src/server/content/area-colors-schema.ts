import * as v from 'valibot'
import { type AreaColors, neutralColors } from '#content/colors.ts'

const color = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.regex(
    /^#[\da-f]{6}$/,
    "is not a color: write it like '#1d4f91', in quotes, as YAML takes a # without them for a comment",
  ),
)

const colorsSchema = v.strictObject({
  accent: color,
  stage: v.optional(color),
  tint: v.optional(color),
  'dark-accent': v.optional(color),
  'dark-tint': v.optional(color),
})

type GivenColors = v.InferOutput<typeof colorsSchema>

/** Returns the red, green and blue of a hex color, each from 0 to 255. */
const toRgb = (color: string): readonly number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

/** Mixes two colors as CSS does with `color-mix(in srgb, …)`. @param share the first color's share, from 0 to 1 */
function mixColors(one: string, share: number, other: string): string {
  const others = toRgb(other)
  const hex = toRgb(one).map((channel, index) =>
    Math.round(channel * share + (others[index] ?? 0) * (1 - share))
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${hex.join('')}`
}

/** Returns the contrast ratio of two colors (WCAG 2.2), from 1 to 21. */
function findContrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [findLuminance(one), findLuminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function findLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = toRgb(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const { light, dark } = neutralColors

/** The minimum contrast between a text and its background (WCAG 2.2, 1.4.3). */
const minContrast = 4.5

/** Derives the colors that the operator left out from the accent color. */
function completeColors({ accent, ...given }: GivenColors): AreaColors {
  return {
    accent,
    stage: given.stage ?? mixColors(accent, 0.76, '#000000'),
    tint: given.tint ?? mixColors(accent, 0.11, '#ffffff'),
    darkAccent: given['dark-accent'] ?? lightenForDarkMode(accent),
    darkTint: given['dark-tint'] ?? mixColors(accent, 0.3, dark.ground),
  }
}

/** Mixes an accent with just enough white to make it readable as text in dark mode. */
function lightenForDarkMode(accent: string): string {
  for (let share = 1; share > 0; share -= 0.05) {
    const color = mixColors(accent, share, '#ffffff')
    if (findContrast(color, dark.paper) >= 8) return color
  }
  return '#ffffff'
}

/** Returns the lowest contrast of each color with the texts and backgrounds that pages combine it with. */
function findLowestContrasts({
  accent,
  stage,
  tint,
  darkAccent,
  darkTint,
}: AreaColors): Record<keyof GivenColors, number> {
  const lowest = (color: string, others: readonly string[]) =>
    Math.min(...others.map((other) => findContrast(color, other)))
  return {
    accent: lowest(accent, [light.ground, light.groundDeep, light.paper, tint]),
    stage: lowest(stage, ['#ffffff', mixColors('#ffffff', 0.84, stage)]),
    tint: lowest(tint, [light.ink, light.inkQuiet, light.error]),
    'dark-accent': lowest(darkAccent, [dark.ground, dark.groundDeep, dark.paper, darkTint]),
    'dark-tint': lowest(darkTint, [dark.ink, dark.inkQuiet, dark.error]),
  }
}

/** Reports no colors that are derived from a pale accent, because a better accent changes these, too. */
export const areaColorsSchema = v.pipe(
  colorsSchema,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    const contrasts = findLowestContrasts(completeColors(input))
    for (const key of Object.keys(contrasts) as (keyof GivenColors)[]) {
      const ratio = contrasts[key]
      const isDerived = input[key] === undefined && contrasts.accent < minContrast
      if (ratio >= minContrast || isDerived) continue
      addIssue({
        message: `is hard to read: its contrast is ${ratio.toFixed(1)} : 1, and at least ${minContrast} : 1 is needed`,
        path: [{ type: 'object', origin: 'value', input, key, value: input[key] }],
      })
    }
  }),
  v.transform(completeColors),
)
