import { expect, test } from 'vitest'
import { findMedian } from './median.ts'

test.each([
  [[], undefined],
  [[7], 7],
  [[9, 1, 5], 5],
  [[10, 2, 4, 9], 7],
  [[3, 100, 20], 20],
])('the median of %j is %s', (values, median) => {
  expect(findMedian(values)).toBe(median)
})
