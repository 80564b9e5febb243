import { expect, test } from 'vitest'
import { formatSummary, judgeCheck } from './checks.ts'

const lastLine = (text: string) => text.split('\n').at(-1)

test('the last line is the sum of all checks', () => {
  const results = [
    { name: 'types', seconds: 3, ...judgeCheck(0, undefined) },
    { name: 'lint', seconds: 1, ...judgeCheck(1, undefined) },
    { name: 'unit', seconds: 2, ...judgeCheck(1, { passed: 40, failed: 2, notRun: 1 }) },
  ]
  expect(lastLine(formatSummary(results, [], 6))).toBe('41 passed, 3 failed')
})

test('a check that was asked for and did not run counts as failed', () => {
  expect(lastLine(formatSummary([], ['unit', 'journeys'], 0))).toBe('0 passed, 2 failed')
})

test.each([
  ['no test ran', 0, { passed: 0, failed: 0, notRun: 0 }],
  ['skipped: 2', 0, { passed: 9, failed: 0, notRun: 2 }],
  ['its tool ended with 1', 1, { passed: 9, failed: 0, notRun: 0 }],
])('a check with “%s” has failed, and says so', (reason, exitCode, counts) => {
  const verdict = judgeCheck(exitCode, counts)
  expect(verdict).toEqual({ passed: counts.passed, failed: 1, reason })
})

test('a tool that a signal ended has failed', () => {
  expect(judgeCheck(null, undefined)).toEqual({ passed: 0, failed: 1 })
})
