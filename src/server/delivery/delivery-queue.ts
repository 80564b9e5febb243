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

export interface DeliveryQueue {
  /**
   * Takes at most `limit` due deliveries, oldest due first, and leases them until `leaseUntil`. A
   * delivery whose lease expired first gets an `unknown` attempt: the earlier worker may have sent
   * it.
   */
  claimDue(claim: Claim & { readonly limit: number }): Promise<readonly ClaimedDelivery[]>
  /**
   * Takes the right to the breaker's next probe and a delivery for it, both or neither: one that is due and has not
   * failed since it opened; where there is none, after a while, the one that failed the longest ago. However many
   * workers ask, one probe is under way at a time, until it has failed or its lease has run out.
   */
  claimProbe(claim: Claim): Promise<ClaimedDelivery | undefined>
  /**
   * Writes the attempt and what follows from it in one transaction. False where the lease was lost meanwhile: the
   * attempt is written all the same, and only a `delivered` still settles the delivery, as that is a fact.
   */
  record(attempt: RecordedAttempt): Promise<boolean>
  /** Gives leases back unused, so that another worker can claim at once. Where it rejects, the next claim does it first. */
  release(deliveries: readonly ClaimedDelivery[]): Promise<void>
  /**
   * The same for those of claims and releases that nobody heard the end of.
   * @returns false where a claim may take effect even now
   */
  returnLeases(now: number): Promise<boolean>
}

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
