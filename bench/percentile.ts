/** The smallest of the numbers that so many of a hundred do not exceed; NaN of none. */
export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = Float64Array.from(numbers).sort()
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN
}
