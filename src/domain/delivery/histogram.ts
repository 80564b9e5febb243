/** Counts durations in logarithmic buckets, so that 150 buckets cover a millisecond to a week. */
export type Histogram = Readonly<Record<string, number>>

/** The number of buckets per doubling of a duration: a percentile is at most 19 % too long. */
const bucketsPerDoubling = 4

/** @param ms a duration; two clocks that differ can make it negative, which counts as the shortest */
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
 * Returns the longest duration, in milliseconds, among the given share of the shortest durations: a share of 0.5 gives
 * the median. Undefined for an empty histogram.
 *
 * @param share above 0, at most 1
 */
export function percentileOf(histogram: Histogram, share: number): number | undefined {
  const steps = Object.entries(histogram)
    .map(([step, count]) => [Number(step), count] as const)
    .toSorted(([one], [other]) => one - other)
  const targetCount = steps.reduce((sum, [, count]) => sum + count, 0) * share
  let countSoFar = 0
  for (const [step, count] of steps) {
    countSoFar += count
    if (countSoFar >= targetCount) return 2 ** (step / bucketsPerDoubling)
  }
  return undefined
}
