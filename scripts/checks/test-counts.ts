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
