import { expect, test } from 'vitest'
import { parseRate } from './job.ts'
import { addCounts, describeOutcomeCounts } from './job-lead-outcome.ts'

test('a report adds up the outcomes of each kind', () => {
  const report = addCounts({ due: 2, overtaken: 1 }, { due: 3, failed: 4, erased: 5 })
  expect(report).toEqual({ due: 5, overtaken: 1, failed: 4, erased: 5 })
  expect(describeOutcomeCounts(report)).toBe('5 done, 6 skipped, 4 failed')
  expect(describeOutcomeCounts({})).toBe('0 done')
})

test.each([
  ['200', 200],
  [' 1 ', 1],
  ['1000', 1000],
  ['0', undefined],
  ['1001', undefined],
  ['-5', undefined],
  ['2.5', undefined],
  ['many', undefined],
  ['', undefined],
])('the rate “%s”', (text, rate) => {
  expect(parseRate(text)).toBe(rate)
})
