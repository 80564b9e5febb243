/** The smallest of the numbers that the given percentage does not exceed; NaN without numbers. */
export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = Float64Array.from(numbers).sort()
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN
}
