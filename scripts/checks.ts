export interface TestCounts {
  readonly passed: number
  readonly failed: number
  /** Tests that were skipped or are marked as to do. */
  readonly notRun: number
}

/** @param report the output of Vitest's `json` reporter */
export function readVitestCounts(report: unknown): TestCounts {
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

/** @param report the output of Playwright's `json` reporter; a test that passed on a second try counts as failed */
export function readPlaywrightCounts(report: unknown): TestCounts {
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
  /** Why the check failed, if its failed tests do not say so. */
  readonly reason?: string
}

/**
 * Decides whether a check passed once its tool has ended. A check that failed as a whole counts as one failure, so that
 * the sum never shows `0 failed` beside a failed check.
 * @param exitCode the tool's exit code; null if a signal ended it
 * @param counts undefined for a tool that writes no report
 */
export function judgeCheck(exitCode: number | null, counts: TestCounts | undefined): Verdict {
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
 * Formats the results as a table, with the sum as its last line, which other programs may read.
 * @param seconds the time of all checks together, which run side by side
 */
export function formatSummary(
  results: readonly Result[],
  notRun: readonly string[],
  seconds: number,
): string {
  const rows = results.map(({ name, passed, failed, seconds, reason }) => {
    const figures = `${alignRight(passed, 6)} passed ${alignRight(failed, 6)} failed ${alignRight(seconds.toFixed(1), 8)} s`
    return `${name.padEnd(12)}${failed > 0 ? 'FAILED' : 'ok    '}${figures}${reason ? `  ${reason}` : ''}`
  })
  const missing = notRun.map((name) => `${name.padEnd(12)}NOT RUN`)
  const sum = (of: 'passed' | 'failed') => results.reduce((total, result) => total + result[of], 0)
  // A requested check that did not run counts as failed.
  const failed = sum('failed') + notRun.length
  const all = `${'all'.padEnd(12)}${alignRight(seconds.toFixed(1), 42)} s`
  return [...rows, ...missing, all, '', `${sum('passed')} passed, ${failed} failed`].join('\n')
}

function alignRight(value: number | string, width: number): string {
  return String(value).padStart(width)
}

export interface Check {
  readonly name: string
  /** The tool's program, below node_modules. */
  readonly tool: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The tool's report file, and how to read it. Without a report, the check counts as one test. */
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
    report: { file, read: readVitestCounts },
  }
}

/**
 * The checks in the order in which test.ts starts them: short ones first, so that a mistake shows early, then the
 * longest.
 */
export const checks: readonly Check[] = [
  { name: 'types', tool: 'typescript/bin/tsc', args: ['-b'] },
  { name: 'lint', tool: '@biomejs/biome/bin/biome', args: ['check'] },
  vitest('unit', 'unit'),
  // The check runs every Vitest project except unit and faults, so that no new project is forgotten.
  vitest('integration', '!unit', '!faults'),
  {
    name: 'journeys',
    tool: '@playwright/test/cli.js',
    args: ['test', '--reporter=list,json', '--fail-on-flaky-tests'],
    // Playwright's workers set FORCE_COLOR themselves, and Node warns if NO_COLOR is set as well.
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport, NO_COLOR: undefined },
    report: { file: playwrightReport, read: readPlaywrightCounts },
  },
  vitest('faults', 'faults'),
]
