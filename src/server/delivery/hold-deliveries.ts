import { plainLine } from '#domain/text/plain-line.ts'
import { type AuditLog, audited } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { BreakerStore } from './breaker-store.ts'

interface HoldDeliveriesParts {
  readonly breaker: Pick<BreakerStore, 'pause' | 'resume'>
  readonly audit: AuditLog
  readonly clock: () => number
}

/** The most characters of a reason, which a notice on the console shows. */
export const maxReasonLength = 200

/** Pauses and resumes all deliveries, for the console and the command line. */
export function makeHoldDeliveries({ breaker, audit, clock }: HoldDeliveriesParts) {
  const change =
    (
      name: 'pause' | 'resume',
      action: 'paused deliveries' | 'resumed deliveries',
      describe: (isChanged: boolean) => string,
    ) =>
    /** @param given the operator's reason, without personal data */
    async (actor: Actor, given: string): Promise<boolean> => {
      const at = clock()
      authorise(actor, 'pause deliveries', at)
      const reason = plainLine(given)
      const act = { actor, at, action, reason }
      return audited(audit, act, () => breaker[name]({ reason, at }), describe)
    }
  return {
    /** @returns false if deliveries were paused already; the new reason and time replace the old ones */
    pause: change('pause', 'paused deliveries', (began) =>
      began ? 'paused' : 'paused already; the reason was replaced',
    ),
    /** @returns false if deliveries were not held back */
    resume: change('resume', 'resumed deliveries', (ended) =>
      ended ? 'resumed' : 'were not paused',
    ),
  }
}

export type HoldDeliveries = ReturnType<typeof makeHoldDeliveries>
