import type { Transaction } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { heldCondition } from './lead-status.ts'

type Tx = Transaction<StoreTables>

/**
 * Stops counting deliveries that the distributor did not get, so that a held delivery becomes due instead of each. To
 * prevent deadlocks, callers lock the deliveries first.
 */
export async function freeCapPlaces(
  tx: Tx,
  deliveryIds: readonly string[],
  now: number,
): Promise<void> {
  if (deliveryIds.length === 0) return
  await tx.selectFrom('caps').select('id').orderBy('id').forUpdate().execute()
  const freed = await tx
    .deleteFrom('cap_uses')
    .where('delivery_id', 'in', deliveryIds)
    .returning('cap_id')
    .execute()
  for (const [capId, { length }] of Map.groupBy(freed, ({ cap_id }) => cap_id)) {
    await makeHeldDeliveriesDue(tx, { capId, limit: length, now })
  }
}

interface ReleaseRequest {
  readonly capId: string
  /** The most deliveries to make due; all deliveries if absent. */
  readonly limit?: number
  readonly now: number
}

/**
 * Lets the deliveries that a cap holds become due now, oldest first. Skips deliveries that a claim has locked.
 * @returns how many deliveries became due
 */
export async function makeHeldDeliveriesDue(
  tx: Tx,
  { capId, limit, now }: ReleaseRequest,
): Promise<number> {
  const held = tx
    .selectFrom('deliveries')
    .innerJoin('held_deliveries', 'held_deliveries.delivery_id', 'deliveries.id')
    .select('deliveries.id')
    .where('cap_id', '=', capId)
    .where(heldCondition)
    .orderBy('deliveries.created_at')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .forUpdate('deliveries')
    .skipLocked()
  const due = tx.updateTable('deliveries').set({ next_at: now }).where('id', 'in', held)
  return Number((await due.executeTakeFirst()).numUpdatedRows)
}
