/** Red, green and blue, 0 to 255. */
const channelsOf = (color: string): readonly number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

/**
 * As `color-mix(in srgb, …)` does it.
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

/** As WCAG 2.2 defines it, from 1 to 21. */
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
