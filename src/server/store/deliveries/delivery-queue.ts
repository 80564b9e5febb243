import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import type {
  Claim,
  ClaimedDelivery,
  DeliveryQueue,
  RecordedAttempt,
} from '#server/use-cases/deliveries/delivery-queue.ts'
import { isBadRow } from '../faults/is-bad-row.ts'
import type { LeadDatabase } from '../lead-database.ts'
import { GroupCommit } from '../leads/intake/group-commit.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../store-tables.ts'
import { claimProbe } from './breaker/claim-probe.ts'
import type { Claimed } from './claim-due.ts'
import { makeClaims } from './unheard-claims.ts'

/** Twelve parameters an attempt: far below what a statement may carry. */
const maxBatch = 200

/**
 * Times are the caller's: a process whose clock is ahead claims early, and takes what others are still sending once it
 * is ahead by a lease (the lead may then be sent twice, and is counted so); one that is behind claims late. No lead is
 * lost by either, and no delivery settled by a lease that it lost.
 */
export function makeDeliveryQueue(
  database: Pick<LeadDatabase, 'db' | 'claimDue' | 'recordAttempts' | 'locking'>,
): DeliveryQueue {
  const { db, locking } = database
  const records = new GroupCommit<RecordedAttempt, boolean>({
    maxBatch,
    tells: 'later',
    namesOf: ({ deliveryId }) => [deliveryId],
    isFaultOfAnItem: isBadRow,
    commit: (batch) => retryConflicts(() => database.recordAttempts(batch)),
  })
  const leased = <Given extends Claim>({ onUnreadable: _, ...claim }: Given) => ({
    ...claim,
    lease: randomUUIDv7(),
    locking,
  })
  const claims = makeClaims(db)
  return {
    claimDue: async (given) => {
      const claim = leased(given)
      const claimed = await claims(claim, () => retryConflicts(() => database.claimDue(claim)))
      return told(claimed, given)
    },
    claimProbe: async (given) => {
      const claim = leased(given)
      const claimed = await claims(claim, () => retryConflicts(() => claimProbe(db, claim)))
      return told(claimed, given)[0]
    },
    record: (attempt) => records.add(attempt),
    release: (deliveries) => retryConflicts(() => releaseLeases(db, deliveries)),
  }
}

function told({ deliveries, unreadable }: Claimed, { onUnreadable }: Claim) {
  for (const claim of unreadable) onUnreadable?.(claim)
  return deliveries
}

/** Each goes back to its lead's place in the order. */
async function releaseLeases(
  db: Kysely<StoreTables>,
  deliveries: readonly ClaimedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  await db
    .updateTable('deliveries')
    .set((eb) => ({ lease: null, leased_until: null, next_at: eb.ref('created_at') }))
    .where((eb) => eb.or(deliveries.map(({ id, lease }) => eb.and({ id, lease }))))
    .execute()
}
