import { expect, test } from 'vitest'
import { parseLeadsPerSecond } from './job.ts'
import { addOutcomeCounts, describeOutcomeCounts } from './job-lead-outcome.ts'

test('a report adds up the outcomes of each kind', () => {
  const results = (['due', 'failed', 'erased', 'due'] as const).map((outcome) => ({ outcome }))
  const report = addOutcomeCounts(results, { due: 3, overtaken: 1 })
  expect(report).toEqual({ due: 5, overtaken: 1, failed: 1, erased: 1 })
  expect(describeOutcomeCounts(report)).toBe('5 done, 2 skipped, 1 failed')
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
  expect(parseLeadsPerSecond(text)).toBe(rate)
})
