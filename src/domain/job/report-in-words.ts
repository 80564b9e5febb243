import { type OutcomeCounts, verdictCounts } from './counts.ts'
import { verdicts } from './member-outcome.ts'

/** `99,000 done, 1,000 skipped`; what there is none of is left out but for what was done. */
export function reportInWords(report: OutcomeCounts): string {
  const counts = verdictCounts(report)
  return verdicts
    .filter((verdict) => verdict === 'done' || counts[verdict] > 0)
    .map((verdict) => `${counts[verdict].toLocaleString('en-US')} ${verdict}`)
    .join(', ')
}
