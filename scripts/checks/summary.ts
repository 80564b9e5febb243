import type { Verdict } from './verdict.ts'

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
