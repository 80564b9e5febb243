import { randomUUIDv7 } from 'node:crypto'
import { isBadRow } from '#server/platform/database/faults/is-bad-row.ts'
import { GroupCommit } from '#server/platform/database/group-commit.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import { claimProbe } from '../breaker-store.ts'
import type { Claim, DeliveryQueue, RecordedAttempt } from '../delivery-queue.ts'
import { type Claimed, claimDueDeliveries } from './claim-due.ts'
import { LeaseReturns } from './lease-returns.ts'
import { recordDeliveryAttempts } from './record-attempts.ts'

/** Twelve parameters an attempt: far below what a statement may carry. */
const maxBatch = 200

/**
 * Times are the caller's: a process whose clock is ahead claims early, and takes what others are still sending once it
 * is ahead by a lease (the lead may then be sent twice, and is counted so); one that is behind claims late. No lead is
 * lost by either, and no delivery settled by a lease that it lost.
 */
export function makeDeliveryQueue(
  database: Pick<LeadDatabase, 'db' | 'run' | 'locking'>,
): DeliveryQueue {
  const { db, locking } = database
  const records = new GroupCommit<RecordedAttempt, boolean>({
    maxBatch,
    namesOf: ({ deliveryId }) => [deliveryId],
    isFaultOfAnItem: isBadRow,
    commit: (batch) => retryConflicts(() => database.run(recordDeliveryAttempts, batch)),
  })
  const leased = <Given extends Claim>({ onUnreadable: _, ...claim }: Given) => ({
    ...claim,
    lease: randomUUIDv7(),
    locking,
  })
  const leases = new LeaseReturns({ db, locking })
  return {
    claimDue: async (given) => {
      const claim = leased(given)
      const claimed = await leases.claim(claim, () =>
        retryConflicts(() => database.run(claimDueDeliveries, claim)),
      )
      return told(claimed, given)
    },
    claimProbe: async (given) => {
      const claim = leased(given)
      const claimed = await leases.claim(claim, () => retryConflicts(() => claimProbe(db, claim)))
      return told(claimed, given)[0]
    },
    record: (attempt) => records.add(attempt),
    release: (deliveries) => leases.release(deliveries),
    returnLeases: (now) => leases.giveBack(now),
  }
}

function told({ deliveries, unreadable }: Claimed, { onUnreadable }: Claim) {
  for (const claim of unreadable) onUnreadable?.(claim)
  return deliveries
}
