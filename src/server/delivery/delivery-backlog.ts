import type { Kysely } from 'kysely'
import type { DeliveryBacklogCounts } from '#domain/delivery/deliveries-view.ts'
import { heldCondition, isHeldByCap } from '#server/leads/lead-status.ts'
import { findEarliestDueTime } from '#server/leads/overview-counts.ts'
import { countRows } from '#server/platform/database/count-rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

export type DeliveryBacklog = ReturnType<typeof makeDeliveryBacklog>

/** The most rows that the Deliveries page counts, so that the page stays fast. */
const maxCounted = 50_000

export function makeDeliveryBacklog(db: Kysely<StoreTables>) {
  const count = async (dueAt?: number) => {
    const waiting = db
      .selectFrom('deliveries')
      .select('id')
      .where('settled_at', 'is', null)
      .$if(dueAt !== undefined, (query) => query.where('next_at', '<=', dueAt ?? 0))
      .limit(maxCounted + 1)
    const n = await countRows(db.selectFrom(waiting.as('waiting')))
    return { count: Math.min(n, maxCounted), isAll: n <= maxCounted }
  }
  const heldDeliveries = db
    .selectFrom('held_deliveries')
    .innerJoin('deliveries', 'deliveries.id', 'held_deliveries.delivery_id')
    .where(heldCondition)
  // The query reads `lead_index`, which is indexed by status and time of receipt; `deliveries` is not.
  const findOldest = () =>
    db
      .selectFrom('lead_index')
      .select(['lead_id as id', 'received_at as receivedAt'])
      .where('status', '=', 'owed')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('deliveries')
              .select('deliveries.id')
              .whereRef('deliveries.lead_id', '=', 'lead_index.lead_id')
              .where(isHeldByCap),
          ),
        ),
      )
      .orderBy('received_at')
      .orderBy('lead_id')
      .limit(1)
      .executeTakeFirst()
  return {
    /** @param now epoch milliseconds */
    read: async (now: number): Promise<DeliveryBacklogCounts> => {
      const [waiting, due, oldest, held] = await Promise.all([
        count(),
        count(now),
        findOldest(),
        countRows(heldDeliveries),
      ])
      return { waiting, due, held, oldest: waiting.count === 0 ? undefined : oldest }
    },
    firstDue: () => findEarliestDueTime(db),
  }
}
