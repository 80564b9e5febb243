import { toPlainLine } from '#domain/text/plain-line.ts'
import { type AuditLog, runWithAudit } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { BreakerStore } from './breaker-store.ts'

interface PauseDeliveriesDependencies {
  readonly breaker: Pick<BreakerStore, 'pause' | 'resume'>
  readonly audit: AuditLog
  readonly clock: () => number
}

/** The most characters of a reason, which a notice on the console shows. */
export const maxReasonLength = 200

const acts = {
  pause: {
    action: 'paused deliveries',
    changed: 'paused',
    unchanged: 'paused already; the reason was replaced',
  },
  resume: { action: 'resumed deliveries', changed: 'resumed', unchanged: 'were not paused' },
} as const

/** Pauses and resumes all deliveries, for the console and the command line. */
export const makePauseDeliveries =
  ({ breaker, audit, clock }: PauseDeliveriesDependencies) =>
  /**
   * @param given the operator's reason, without personal data
   * @returns false if deliveries were not held, or were paused already; a repeated pause replaces reason and time
   */
  async (actor: Actor, act: 'pause' | 'resume', given: string): Promise<boolean> => {
    const at = clock()
    authorize(actor, 'pause deliveries', at)
    const reason = toPlainLine(given)
    const { action, changed, unchanged } = acts[act]
    return runWithAudit(
      audit,
      { actor, at, action, reason },
      () => breaker[act]({ reason, at }),
      (isChanged) => (isChanged ? changed : unchanged),
    )
  }
