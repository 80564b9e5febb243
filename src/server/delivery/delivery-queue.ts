import { randomUUIDv7 } from 'node:crypto'
import { GroupCommit } from '#server/platform/database/group-commit.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import { isBadRow } from '#server/platform/faults/database-errors.ts'
import { claimProbe } from './breaker-store.ts'
import {
  type Claim,
  type Claimed,
  type ClaimedDelivery,
  claimDueDeliveries,
} from './claim-deliveries.ts'
import { LeaseReturns } from './lease-returns.ts'
import { type RecordedAttempt, recordDeliveryAttempts } from './record-attempts.ts'

export type DeliveryQueue = ReturnType<typeof makeDeliveryQueue>

/** Twelve parameters an attempt: far below what a statement may carry. */
const maxBatch = 200

/**
 * Times are the caller's: a process whose clock is ahead claims early, and takes what others are still sending once it
 * is ahead by a lease (the lead may then be sent twice, and is counted so); one that is behind claims late. No lead is
 * lost by either, and no delivery settled by a lease that it lost.
 */
export function makeDeliveryQueue(database: Pick<LeadDatabase, 'db' | 'run' | 'locking'>) {
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
    /**
     * Takes at most `limit` due deliveries, oldest due first, and leases them until `leaseUntil`. A delivery whose lease
     * expired first gets an `unknown` attempt: the earlier worker may have sent it.
     */
    claimDue: async (given: Claim & { readonly limit: number }) => {
      const claim = leased(given)
      const claimed = await leases.claim(claim, () =>
        retryConflicts(() => database.run(claimDueDeliveries, claim)),
      )
      return readable(claimed, given)
    },
    /**
     * Takes the right to the breaker's next probe and a delivery for it, both or neither: one that is due and has not
     * failed since it opened; without one, after a while, the one that failed the longest ago. However many workers ask,
     * one probe is under way at a time, until it has failed or its lease has run out.
     */
    claimProbe: async (given: Claim): Promise<ClaimedDelivery | undefined> => {
      const claim = leased(given)
      const claimed = await leases.claim(claim, () => retryConflicts(() => claimProbe(db, claim)))
      return readable(claimed, given)[0]
    },
    /**
     * Writes the attempt and what follows from it in one transaction. False if the lease was lost meanwhile: the attempt is
     * written all the same, and only a `delivered` still settles the delivery, as that is a fact.
     */
    record: (attempt: RecordedAttempt) => records.add(attempt),
    /** Gives leases back unused, so that another worker can claim at once. If it rejects, the next claim does it first. */
    release: (deliveries: readonly ClaimedDelivery[]) => leases.release(deliveries),
    /**
     * The same for claims and releases with an unknown result.
     * @returns false if a claim may still take effect
     */
    returnLeases: (now: number) => leases.giveBack(now),
  }
}

function readable({ deliveries, unreadable }: Claimed, { onUnreadable }: Claim) {
  for (const claim of unreadable) onUnreadable?.(claim)
  return deliveries
}
