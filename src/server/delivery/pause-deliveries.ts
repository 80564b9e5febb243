import type { BreakerState } from '#domain/delivery/breaker.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import type { KeepChange } from '#server/operators/audit.ts'
import { makeAuthorizedChange, type OperatorContext } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { BreakerStore, PauseRequest } from './breaker-store.ts'

/** The most characters of the reason for a pause, which the console shows in a notice. */
export const maxPauseReasonLength = 200

const auditTexts = {
  pause: {
    action: 'paused deliveries',
    changed: 'paused',
    unchanged: 'paused already; the reason was replaced',
  },
  resume: { action: 'resumed deliveries', changed: 'resumed', unchanged: 'were not paused' },
} as const

/** Pauses and resumes all deliveries, for the console and the command line. */
export function makePauseActions({
  breaker,
  ...context
}: Pick<OperatorContext, 'audit' | 'clock'> & {
  readonly breaker: Pick<BreakerStore, 'pause' | 'resume'>
}) {
  const change = makeAuthorizedChange(context, 'pause deliveries')
  /**
   * @param given the operator's reason, without personal data
   * @returns false if there was nothing to resume, or deliveries were already paused; a repeated pause replaces reason
   *   and time
   */
  return (actor: Actor, act: 'pause' | 'resume', given: string): Promise<boolean> => {
    const reason = toPlainLine(given)
    const { action, changed, unchanged } = auditTexts[act]
    const run = (at: number, keep: KeepChange) =>
      breaker[act]({
        reason,
        at,
        onChange: keepPause(keep, act === 'pause' ? { reason, since: at } : null),
      })
    return change(actor, { action, reason }, run, (isChanged) => (isChanged ? changed : unchanged))
  }
}

/** Makes the function that records in the audit log how a pause changed, because a new pause replaces an earlier one. */
export const keepPause =
  (keep: KeepChange, now: BreakerState['pause'], target?: string): PauseRequest['onChange'] =>
  ({ pause, trip }, store) =>
    keep({ target, before: toValues(pause, trip), after: toValues(now, null) }, store)

const toValues = (pause: BreakerState['pause'], trip: BreakerState['trip']) => ({
  'paused since': pause === null ? '' : new Date(pause.since).toISOString(),
  'reason for the pause': pause?.reason ?? '',
  'stopped since': trip === null ? '' : new Date(trip.since).toISOString(),
})
