import { plainLine } from '#domain/text/plain-line.ts'
import { type AuditLog, audited } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { BreakerStore } from './breaker-store.ts'

interface HoldDeliveriesPorts {
  readonly breaker: Pick<BreakerStore, 'pause' | 'resume'>
  readonly audit: AuditLog
  readonly clock: () => number
}

/** Longer than anybody reads in a notice. */
export const longestReason = 200

/** Pauses and resumes all deliveries: the console's page and the command line do the same. */
export function makeHoldDeliveries({ breaker, audit, clock }: HoldDeliveriesPorts) {
  /** @param reason the operator's own words, which name nobody */
  const order = (actor: Actor, reason: string) => {
    const at = clock()
    authorise(actor, 'pause deliveries', at)
    return { reason: plainLine(reason), at, by: actor }
  }
  return {
    /** True where they were not paused before; else reason and time are the new ones. */
    pause: async (actor: Actor, given: string): Promise<boolean> => {
      const { reason, at, by } = order(actor, given)
      return audited(
        audit,
        { actor, at, action: 'paused deliveries', reason },
        () => breaker.pause({ reason, at, by }),
        (began) => (began ? 'paused' : 'paused before; another reason'),
      )
    },
    /** False where nothing held them back. */
    resume: async (actor: Actor, given: string): Promise<boolean> => {
      const { reason, at, by } = order(actor, given)
      return audited(
        audit,
        { actor, at, action: 'resumed deliveries', reason },
        () => breaker.resume({ reason, at, by }),
        (ended) => (ended ? 'resumed' : 'were not paused'),
      )
    },
  }
}

export type HoldDeliveries = ReturnType<typeof makeHoldDeliveries>
