/** How many there were of each length: by a step of the logarithm, so that a millisecond and a week need 150 of them. */
export type Histogram = Readonly<Record<string, number>>

/** Steps each time a length doubles: what is read from it is 19 % too long at most. */
const bucketsPerDoubling = 4

/** @param ms of a negative one, which two clocks that differ make, nothing is said but that it was short */
export function withLength(histogram: Histogram, ms: number): Histogram {
  const step = Math.ceil(Math.log2(Math.max(1, ms)) * bucketsPerDoubling)
  return { ...histogram, [step]: (histogram[step] ?? 0) + 1 }
}

export function merged(histograms: readonly Histogram[]): Histogram {
  const sum: Record<string, number> = {}
  for (const histogram of histograms) {
    for (const [step, count] of Object.entries(histogram)) sum[step] = (sum[step] ?? 0) + count
  }
  return sum
}

/**
 * How long the shortest ones took at most, in milliseconds: for a half of them the median.
 * Undefined for an empty histogram.
 * @param share above 0, at most 1
 */
export function percentileOf(histogram: Histogram, share: number): number | undefined {
  const steps = Object.entries(histogram)
    .map(([step, count]) => [Number(step), count] as const)
    .toSorted(([one], [other]) => one - other)
  const wanted = steps.reduce((sum, [, count]) => sum + count, 0) * share
  let seen = 0
  for (const [step, count] of steps) {
    seen += count
    if (seen >= wanted) return 2 ** (step / bucketsPerDoubling)
  }
  return undefined
}
