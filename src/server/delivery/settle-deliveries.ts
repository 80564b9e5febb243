import type { Transaction } from 'kysely'
import {
  type DeliveryStatus,
  isRejectedOrDead,
  type ManualSettlement,
} from '#domain/delivery/delivery.ts'
import { freeCapPlaces } from '#server/leads/cap-places.ts'
import { reclaimDedupeKeys, transferDedupeKeys } from '#server/leads/dedupe-keys.ts'
import { findLeadStatus, inDoubtCondition, statusColumns } from '#server/leads/lead-status.ts'
import { countRows } from '#server/platform/database/count-rows.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { countTowardCaps } from './cap-holds.ts'
import { enqueueNotifications } from './enqueue-notifications.ts'
import type { DeliveryChangeRefusal } from './retry-deliveries.ts'

export type SettleOutcome =
  | { readonly kind: 'settled'; readonly was: DeliveryStatus }
  | { readonly kind: 'rejected' }
  | DeliveryChangeRefusal

/**
 * Records a delivery's result that an operator learned from the distributor, in the caller's transaction.
 * @param now epoch milliseconds
 */
export async function settleDelivery(
  store: Transaction<StoreTables>,
  leadId: string,
  as: ManualSettlement,
  now: number,
): Promise<SettleOutcome> {
  const found = await store
    .selectFrom('leads')
    .innerJoin('lead_index', 'lead_index.lead_id', 'leads.id')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select(['leads.duplicate_of', 'deliveries.settled_as', 'deliveries.id as delivery_id'])
    .select(statusColumns)
    .where('leads.id', '=', leadId)
    .executeTakeFirst()
  if (found === undefined) return { kind: 'unknown' }
  const status = findLeadStatus(found, now)
  if (status === 'duplicate') return { kind: 'duplicate', of: found.duplicate_of }
  if (status === 'leased' || status === 'delivered' || status === as) return { kind: status }
  if (status === 'erased' || status === 'quarantined') return { kind: status }
  const changed = await store
    .updateTable('deliveries')
    .set({
      ...{ settled_as: as, settled_at: now, settled_by_hand_at: now, settled_because: null },
      ...{ lease: null, leased_until: null, waits_since: null },
    })
    .where('lead_id', '=', leadId)
    // If a worker has claimed or settled the delivery since it was read, this statement updates nothing.
    .where('settled_as', 'is not distinct from', found.settled_as)
    .where('leased_until', 'is not distinct from', found.leased_until)
    .where('lead_erased_at', 'is', null)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return settleDelivery(store, leadId, as, now)
  const wasNotAccepted = isRejectedOrDead(found.settled_as)
  if (as === 'delivered' && wasNotAccepted) await reclaimDedupeKeys(store, [leadId])
  if (as === 'rejected' && !wasNotAccepted) await transferDedupeKeys(store, [leadId])
  if (as === 'delivered') await countTowardCaps(store, [leadId], now)
  // A dead delivery whose attempt got no answer counts until the operator knows that it was rejected.
  else await freeCapPlaces(store, [found.delivery_id ?? ''], now)
  const event = as === 'delivered' ? 'accepted' : 'rejected'
  await enqueueNotifications(store, { event, leadIds: [leadId], at: now })
  return { kind: 'settled', was: status }
}

/**
 * After a restore, marks every open delivery as possibly sent, because a backup does not show which leads were sent
 * later. If a marked delivery is sent, it counts as a possible duplicate.
 * @param now epoch milliseconds
 * @returns the number of marked deliveries, including those that an earlier restore marked
 */
export const markOpenInDoubt = (
  { longQueryDb }: Pick<LeadDatabase, 'longQueryDb'>,
  now: number,
): Promise<number> =>
  runInTransaction(longQueryDb, async (store) => {
    await store
      .updateTable('deliveries')
      .set((eb) => ({ restored_at: now, unknown_attempts: eb('unknown_attempts', '+', 1) }))
      .where('settled_at', 'is', null)
      .where('restored_at', 'is', null)
      .execute()
    return countRows(store.selectFrom('deliveries').where(inDoubtCondition))
  })
