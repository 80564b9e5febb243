import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/**
 * How many attempts may be made up for to a delivery. Leads that fail by themselves may look like a distributor's fault
 * again and again: then their schedule takes over, and they still get all of it.
 */
export const mostUncounted = 8

/**
 * Makes due what waits by our own schedule for an attempt that failed since the breaker opened, and makes up for that
 * attempt. Its place is by the lead's age again, or by when it was owed again. A wait that the distributor asked for stays. When it failed is still
 * known: see choose-probe.ts.
 * @param since of the trip, in epoch milliseconds
 */
export async function releaseWaiting(db: Kysely<StoreTables>, since: number): Promise<void> {
  await db
    .updateTable('deliveries')
    .set((eb) => ({
      // What was retried after weeks is not due since then.
      next_at: eb.fn.coalesce(
        eb
          .selectFrom('delivery_endings')
          .select((max) => max.fn.max('owed_again_at').as('at'))
          .whereRef('delivery_id', '=', 'deliveries.id'),
        'created_at',
      ),
      // A repeated probe has spent nothing; there is at most one counted attempt in a trip.
      spared: eb
        .case()
        .when('spared', '<', eb.ref('attempts'))
        .then(eb('spared', '+', 1))
        .else(eb.ref('spared'))
        .end(),
    }))
    .where('settled_at', 'is', null)
    .where('lease', 'is', null)
    .where('waits_since', '>=', since)
    .where('spared', '<', mostUncounted)
    .execute()
}
