import { expect, test } from 'vitest'
import { type Histogram, merged, percentileOf, withLength } from './histogram.ts'

const of = (...lengths: readonly number[]) => lengths.reduce<Histogram>(withLength, {})

test('a reading is between the true duration and a fifth more', () => {
  for (const ms of [1, 2, 7, 50, 199, 1000, 61_000, 604_800_000]) {
    const read = percentileOf(of(ms), 0.5) ?? 0
    expect(read).toBeGreaterThanOrEqual(ms)
    expect(read).toBeLessThan(ms * 1.19 + 1)
  }
})

test('the half and the slowest twentieth', () => {
  const lengths = of(...Array.from({ length: 95 }, () => 100), ...Array(5).fill(60_000))
  expect(percentileOf(lengths, 0.5)).toBeCloseTo(107.6, 0)
  expect(percentileOf(lengths, 0.95)).toBeCloseTo(107.6, 0)
  expect(percentileOf(lengths, 0.96)).toBeGreaterThan(59_000)
})

test('without events it is empty; different clocks leave no gap', () => {
  expect(percentileOf({}, 0.5)).toBeUndefined()
  expect(percentileOf(of(-5), 0.5)).toBe(1)
})

test('several are one', () => {
  expect(merged([of(10, 10), of(10, 500), {}])).toEqual(of(500, 10, 10, 10))
})
