import { randomUUIDv7 } from 'node:crypto'
import { makeGroupCommit } from '#server/platform/database/group-commit.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { isInvalidRow } from '#server/platform/faults/database-errors.ts'
import { claimProbe } from './breaker-store.ts'
import {
  type ClaimedDelivery,
  type ClaimedItem,
  type ClaimRequest,
  type ClaimResult,
  claimDueDeliveries,
} from './claim-deliveries.ts'
import { LeaseReleaser } from './lease-releaser.ts'
import { type RecordedAttempt, recordDeliveryAttempts } from './record-attempts.ts'

export type DeliveryQueue = ReturnType<typeof makeDeliveryQueue>

/** The part of a queue of deliveries or notifications that a worker uses. */
export interface WorkQueue<Item extends ClaimedItem> {
  claimDue(claim: ClaimRequest & { readonly limit: number }): Promise<readonly Item[]>
  claimProbe(claim: ClaimRequest): Promise<Item | undefined>
  record(attempt: RecordedAttempt): Promise<boolean>
  release(items: readonly Item[]): Promise<void>
  returnLeases(now: number): Promise<boolean>
}

/** The most attempts in one statement: at sixteen parameters each, far below the databases' limits. */
export const maxBatch = 200

/**
 * The queue of deliveries. All times come from the caller's clock. If a process's clock is fast by more than a lease,
 * the process claims deliveries that others still send; their leads may be sent twice and count as possible duplicates.
 * A wrong clock never loses a lead.
 */
export function makeDeliveryQueue(database: Pick<LeadDatabase, 'db' | 'run'>) {
  const { db } = database
  const record = makeGroupCommit<RecordedAttempt, boolean>({
    maxBatch,
    namesOf: ({ deliveryId }) => [deliveryId],
    isFaultOfAnItem: isInvalidRow,
    commit: (batch) => database.run(recordDeliveryAttempts, batch),
  })
  const leased = <Given extends ClaimRequest>({
    onUnreadable: _,
    onHeld: __,
    ...claim
  }: Given) => ({
    ...claim,
    lease: randomUUIDv7(),
  })
  const leases = new LeaseReleaser(db)
  return {
    /**
     * Claims at most `limit` due deliveries, oldest due first, and leases them until `leaseUntil`. If an earlier lease
     * has expired, its worker may have sent the lead, so the claim records an `unknown` attempt.
     */
    claimDue: async (given: ClaimRequest & { readonly limit: number }) => {
      const claim = leased(given)
      const claimed = await leases.claim(claim, () => database.run(claimDueDeliveries, claim))
      return takeReadable(claimed, given)
    },
    /**
     * Claims the breaker's next probe together with a delivery to send. However many workers ask, only one probe is
     * in progress, until it fails or its lease ends.
     */
    claimProbe: async (given: ClaimRequest): Promise<ClaimedDelivery | undefined> => {
      const claim = leased(given)
      const claimed = await leases.claim(claim, () => claimProbe(db, claim))
      return takeReadable(claimed, given)[0]
    },
    /**
     * Writes an attempt and its consequences in one transaction. Resolves with false if the worker lost the lease
     * meanwhile: the attempt is still written, but only `delivered` still settles the delivery, because the distributor
     * has the lead.
     */
    record,
    /** Returns unused leases so that another worker can claim at once. The next claim repeats a failed return. */
    release: (deliveries: readonly ClaimedDelivery[]) => leases.release(deliveries),
    /**
     * Returns the leases of claims and releases whose result is unknown.
     * @returns false if a claim may still take effect
     */
    returnLeases: (now: number) => leases.giveBack(now),
  }
}

function takeReadable(
  { deliveries, unreadable, heldCount = 0 }: ClaimResult,
  { onUnreadable, onHeld }: ClaimRequest,
) {
  if (heldCount > 0) onHeld?.()
  for (const claim of unreadable) onUnreadable?.(claim)
  return deliveries
}
