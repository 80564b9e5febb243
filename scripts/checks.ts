export interface TestCounts {
  readonly passed: number
  readonly failed: number
  /** Neither: skipped or left to do. */
  readonly notRun: number
}

/** @param report what Vitest's `json` reporter writes */
export function vitestCounts(report: unknown): TestCounts {
  const counts = report as {
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    numTodoTests: number
  }
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests,
    notRun: counts.numPendingTests + counts.numTodoTests,
  }
}

/** @param report what Playwright's `json` reporter writes; a test that passed on a second try has failed here */
export function playwrightCounts(report: unknown): TestCounts {
  const { stats } = report as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  }
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    notRun: stats.skipped,
  }
}

export interface Verdict {
  readonly passed: number
  readonly failed: number
  /** Why the check failed, where its failed tests do not say so already. */
  readonly reason?: string
}

/**
 * What a check is worth once its tool has ended. A check that failed as a whole counts as one failure, so that
 * the sum never reads `0 failed` beside a failed check.
 * @param exitCode of the tool; null where a signal ended it
 * @param counts undefined for a tool that writes no report
 */
export function verdictOf(exitCode: number | null, counts: TestCounts | undefined): Verdict {
  if (counts === undefined) {
    return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  }
  const { passed, failed, notRun } = counts
  if (failed > 0) return { passed, failed }
  if (notRun > 0) return { passed, failed: 1, reason: `skipped: ${notRun}` }
  if (passed === 0) return { passed, failed: 1, reason: 'no test ran' }
  if (exitCode !== 0) return { passed, failed: 1, reason: `its tool ended with ${exitCode}` }
  return { passed, failed: 0 }
}

export interface Result extends Verdict {
  readonly name: string
  readonly seconds: number
}

/**
 * The table and, as its last line, the sum that other programs may read.
 * @param seconds of all together: checks that run side by side take less than their sum
 */
export function summaryOf(
  results: readonly Result[],
  notRun: readonly string[],
  seconds: number,
): string {
  const rows = results.map(({ name, passed, failed, seconds, reason }) => {
    const figures = `${cell(passed, 6)} passed ${cell(failed, 6)} failed ${cell(seconds.toFixed(1), 8)} s`
    return `${name.padEnd(12)}${failed > 0 ? 'FAILED' : 'ok    '}${figures}${reason ? `  ${reason}` : ''}`
  })
  const missing = notRun.map((name) => `${name.padEnd(12)}NOT RUN`)
  const sum = (of: 'passed' | 'failed') => results.reduce((total, result) => total + result[of], 0)
  // A check that was asked for and did not run is no success.
  const failed = sum('failed') + notRun.length
  const all = `${'all'.padEnd(12)}${cell(seconds.toFixed(1), 42)} s`
  return [...rows, ...missing, all, '', `${sum('passed')} passed, ${failed} failed`].join('\n')
}

function cell(value: number | string, width: number): string {
  return String(value).padStart(width)
}

export interface Check {
  readonly name: string
  /** Program of the tool, below node_modules. */
  readonly tool: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where the tool writes what it ran, and how to read that. Without it the check counts as one test. */
  readonly report?: {
    readonly file: string
    readonly read: (report: unknown) => TestCounts
  }
}

const reports = 'node_modules/.cache/test-reports'
const playwrightReport = `${reports}/journeys.json`

function vitest(name: string, ...projects: readonly string[]): Check {
  const file = `${reports}/${name}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return {
    name,
    tool: 'vitest/vitest.mjs',
    args: ['run', ...projects.map((project) => `--project=${project}`), ...reporters],
    report: { file, read: vitestCounts },
  }
}

/** In the order in which they begin (test.ts): short ones first, so that a slip shows early, then the longest. */
export const checks: readonly Check[] = [
  { name: 'types', tool: 'typescript/bin/tsc', args: ['-b'] },
  { name: 'lint', tool: '@biomejs/biome/bin/biome', args: ['check'] },
  vitest('unit', 'unit'),
  // Every project but the two others, so that one added later can't be forgotten.
  vitest('integration', '!unit', '!faults'),
  {
    name: 'journeys',
    tool: '@playwright/test/cli.js',
    args: ['test', '--reporter=list,json', '--fail-on-flaky-tests'],
    // Its workers set FORCE_COLOR themselves, and Node warns where NO_COLOR is set too.
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport, NO_COLOR: undefined },
    report: { file: playwrightReport, read: playwrightCounts },
  },
  vitest('faults', 'faults'),
]
