import { expect, test } from 'vitest'
import {
  checks,
  formatSummary,
  judgeCheck,
  limitToChanges,
  readPlaywrightCounts,
  readVitestCounts,
} from './checks.ts'

const lastLine = (text: string) => text.split('\n').at(-1)

test('the last line is the sum of all checks', () => {
  const results = [
    { name: 'types', seconds: 3, ...judgeCheck(0, undefined) },
    { name: 'lint', seconds: 1, ...judgeCheck(1, undefined) },
    { name: 'unit', seconds: 2, ...judgeCheck(1, { passed: 40, failed: 2, notRun: 1 }) },
  ]
  expect(lastLine(formatSummary(results, [], 6))).toBe('41 passed, 3 failed')
})

test('the summary names a failed test of either tool, and what it printed', () => {
  const vitest = readVitestCounts({
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      {
        name: 'a.test.ts',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'good', failureMessages: [] },
          { status: 'failed', fullName: 'bad', failureMessages: ['expected 1\n  at here'] },
        ],
      },
    ],
  })
  const playwright = readPlaywrightCounts({
    stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 0 },
    suites: [
      {
        specs: [{ ok: true, file: 'b', title: 'fine', tests: [{ results: [{}] }] }],
        suites: [
          {
            specs: [
              {
                ok: false,
                file: 'b.journey.ts',
                title: 'worse',
                tests: [{ results: [{ error: { message: 'timed out' } }] }],
              },
            ],
          },
        ],
      },
    ],
  })
  const results = [vitest, playwright].map((counts) => ({
    name: 'unit',
    seconds: 1,
    ...judgeCheck(1, counts),
  }))
  const summary = formatSummary(results, [], 2)
  expect(summary).toContain('a.test.ts › bad\nexpected 1\n')
  expect(summary).toContain('b.journey.ts › worse\ntimed out\n')
  expect(summary).not.toContain('fine')
  expect(summary).not.toContain('good')
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

test('a check whose tests no change affects passes without a test, and says so', () => {
  const verdict = judgeCheck(0, { passed: 0, failed: 0, notRun: 0 }, true)
  expect(verdict).toEqual({ passed: 0, failed: 0, reason: 'no test to run' })
})

/** The checks that a change leaves whole, and those of which it runs the tests that import a changed file. */
function split(changed: readonly string[]) {
  const limited = checks.map((check) => limitToChanges(check, 'HEAD', changed))
  const names = (isWhole: boolean) =>
    limited.filter(({ mayBeEmpty }) => (mayBeEmpty !== true) === isWhole).map(({ name }) => name)
  return { whole: names(true), byImports: names(false) }
}

const always = ['types', 'lint', 'unit']
const ofBuild = ['journeys', 'product', 'faults', 'tools']

test.each([
  ['a source file', 'src/domain/area.ts', [...always, ...ofBuild]],
  ['a style', 'src/site/landing/page.module.css', checks.map(({ name }) => name)],
  ['a text of the product', 'content/business.yaml', checks.map(({ name }) => name)],
  ['a package', 'package-lock.json', checks.map(({ name }) => name)],
  ['data of a test', 'tests/upgrade/0.2.0/leads.sql', checks.map(({ name }) => name)],
  ['a document', 'docs/runbook.md', [...always, ...ofBuild]],
  ['a journey', 'tests/journeys/looks-around.journey.ts', always],
  ['a unit test in src', 'src/domain/area.test.ts', always],
  ['a bench', 'bench/run.ts', always],
])(
  'a change of %s leaves the checks whole that it can affect without an import',
  (_, path, whole) => {
    expect(split([path]).whole.toSorted()).toEqual([...whole].toSorted())
  },
)

test('a change of nothing leaves whole what is quick', () => {
  expect(split([]).whole).toEqual(always)
})
