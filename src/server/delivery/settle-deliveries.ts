import type { Kysely, Transaction } from 'kysely'
import {
  type DeliveryStatus,
  isClosedWithoutAcceptance,
  type SettledByHand,
} from '#domain/delivery/delivery.ts'
import { claimDedupeKeysAgain, transferDedupeKeys } from '#server/leads/dedupe-keys.ts'
import { findStatusRow, isInDoubt, leadStatus } from '#server/leads/lead-status.ts'
import type { LeadDatabase, Locking } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** The result of settling one lead's delivery by hand. */
export type SettleOutcome =
  | { readonly kind: 'settled'; readonly was: DeliveryStatus }
  /** A worker has it at this moment. */
  | { readonly kind: 'leased' }
  /** The distributor has the lead: no later answer takes that back. */
  | { readonly kind: 'delivered' }
  | { readonly kind: 'rejected' }
  /** It has no delivery of its own: the lead that it repeats has it (reading 18). */
  | { readonly kind: 'duplicate'; readonly of: string | null }
  /** It has none until it is released. */
  | { readonly kind: 'quarantined' }
  | { readonly kind: 'erased' }
  | { readonly kind: 'unknown' }

export type DeliverySettling = ReturnType<typeof makeDeliverySettling>

type SettlingDatabase = Pick<LeadDatabase, 'db' | 'patient' | 'locking'>

/** An operator's knowledge about a delivery that the store lacks. Times are epoch milliseconds. */
export const makeDeliverySettling = ({ db, patient, locking }: SettlingDatabase) => ({
  settle: (leadId: string, as: SettledByHand, now: number): Promise<SettleOutcome> =>
    retryConflicts(() =>
      db.transaction().execute((store) => settleOne(store, { leadId, as, now, locking })),
    ),
  /**
   * Marks every open delivery as possibly made: the store was restored from a backup, which lacks everything sent since.
   * Sent again it counts as a duplicate that was possibly sent.
   * @returns how many that are, those of an earlier restore included
   */
  doubtAll: (now: number): Promise<number> =>
    retryConflicts(() => patient.transaction().execute((store) => markAllInDoubt(store, now))),
})

interface SettlementRequest {
  readonly leadId: string
  readonly as: SettledByHand
  readonly now: number
  readonly locking: Locking
}

async function settleOne(
  store: Transaction<StoreTables>,
  { leadId, as, now, locking }: SettlementRequest,
): Promise<SettleOutcome> {
  const found = await findStatusRow(store, leadId)
  if (found === undefined) return { kind: 'unknown' }
  const status = leadStatus(found, now)
  if (status === 'duplicate') return { kind: 'duplicate', of: found.duplicate_of }
  if (status === 'leased' || status === 'delivered' || status === as) return { kind: status }
  if (status === 'erased' || status === 'quarantined') return { kind: status }
  const changed = await store
    .updateTable('deliveries')
    .set({
      settled_as: as,
      settled_at: now,
      settled_by_hand_at: now,
      settled_because: null,
      lease: null,
      leased_until: null,
      waits_since: null,
    })
    .where('lead_id', '=', leadId)
    // A worker may have taken or settled it since: what is read above decides for this state alone.
    .where('settled_as', 'is not distinct from', found.settled_as)
    .where('leased_until', 'is not distinct from', found.leased_until)
    .where('lead_erased_at', 'is', null)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return { kind: await otherOutcome(store, leadId, now) }
  const wasNotTaken = isClosedWithoutAcceptance(found.settled_as)
  if (as === 'delivered' && wasNotTaken) await claimDedupeKeysAgain(store, [leadId])
  if (as === 'rejected' && !wasNotTaken) await transferDedupeKeys(store, [leadId], locking)
  return { kind: 'settled', was: status }
}

/** Somebody else was faster: another operator has settled it, or a worker has taken it. */
async function otherOutcome(store: Transaction<StoreTables>, leadId: string, now: number) {
  const found = await findStatusRow(store, leadId)
  const status = found && leadStatus(found, now)
  return status === 'delivered' || status === 'rejected' || status === 'erased' ? status : 'leased'
}

async function markAllInDoubt(store: Kysely<StoreTables>, now: number): Promise<number> {
  await store
    .updateTable('deliveries')
    .set((eb) => ({ restored_at: now, unknown_attempts: eb('unknown_attempts', '+', 1) }))
    .where('settled_at', 'is', null)
    .where('restored_at', 'is', null)
    .execute()
  const { n } = await store
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where(isInDoubt)
    .executeTakeFirstOrThrow()
  return n
}
