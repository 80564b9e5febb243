import { withLength } from '#domain/delivery/histogram.ts'
import type { DeliveryRollup, MadeAttempt } from './delivery-rollups.ts'

export const noAttempts = (from: number): DeliveryRollup => ({
  from,
  delivered: 0,
  rejected: 0,
  failed: 0,
  waits: {},
  calls: {},
  waiting: null,
  oldestAt: null,
})

/** What was not sent was no call. */
export function tally(rollup: DeliveryRollup, attempt: MadeAttempt): DeliveryRollup {
  const { outcome, startedAt, durationMs, owedAt } = attempt
  if (outcome === 'not-made') return rollup
  const counted = { ...rollup, calls: withLength(rollup.calls, durationMs) }
  if (outcome === 'delivered') {
    const waits = withLength(rollup.waits, startedAt + durationMs - owedAt)
    return { ...counted, delivered: rollup.delivered + 1, waits }
  }
  return outcome === 'rejected'
    ? { ...counted, rejected: rollup.rejected + 1 }
    : { ...counted, failed: rollup.failed + 1 }
}
