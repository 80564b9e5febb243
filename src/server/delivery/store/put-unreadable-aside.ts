import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { UnreadableClaim } from '../delivery-queue.ts'
import type { LeaseClaim } from './claim-deliveries.ts'
import { recordAttempts } from './record-attempts.ts'

interface UnreadableDelivery extends UnreadableClaim {
  readonly id: string
}

type Claim = Pick<LeaseClaim, 'now' | 'lease' | 'leaseUntil' | 'locking'>

/**
 * Settles claimed deliveries whose lead cannot be read, so that they are not claimed again whenever their lease ends.
 */
export async function putUnreadableAside(
  db: Kysely<StoreTables>,
  found: readonly UnreadableDelivery[],
  claim: Claim,
): Promise<readonly UnreadableClaim[]> {
  await leaveToNewer(
    db,
    found.filter(({ isNewer }) => isNewer),
    claim,
  )
  await settleAsDead(
    db,
    found.filter(({ isNewer }) => !isNewer),
    claim,
  )
  return found.map(({ id: _, ...unreadable }) => unreadable)
}

/** It has not been tried, and spends nothing. Not due at once: this worker would take it again at once. */
async function leaveToNewer(
  db: Kysely<StoreTables>,
  found: readonly UnreadableDelivery[],
  { lease, leaseUntil }: Claim,
): Promise<void> {
  if (found.length === 0) return
  await db
    .updateTable('deliveries')
    .set({ lease: null, leased_until: null, next_at: leaseUntil })
    .where('id', 'in', idsOf(found))
    .where('lease', '=', lease)
    .execute()
}

async function settleAsDead(
  db: Kysely<StoreTables>,
  found: readonly UnreadableDelivery[],
  { now, lease, locking }: Claim,
): Promise<void> {
  if (found.length === 0) return
  const attempts = found.map(({ id }) => ({
    id: randomUUIDv7(),
    deliveryId: id,
    lease,
    startedAt: now,
    durationMs: 0,
    outcome: { name: 'not-made', reason: 'unreadable' } as const,
    next: { settledAs: 'dead', at: now } as const,
  }))
  await recordAttempts(db, attempts, locking)
}

const idsOf = (found: readonly UnreadableDelivery[]) => found.map(({ id }) => id)
