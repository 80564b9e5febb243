import type { TestCounts } from './test-counts.ts'

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
