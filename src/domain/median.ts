/** Returns the median: the mean of the two middle values if the number of values is even; undefined without values. */
export function findMedian(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : Math.round((low + high) / 2)
}
