/** Returns the median; undefined without values. An even number of values gives the mean of the two middle ones. */
export function findMedian(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : Math.round((low + high) / 2)
}
