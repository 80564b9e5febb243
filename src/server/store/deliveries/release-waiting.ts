import type { Kysely } from 'kysely'
import type { StoreTables } from '../store-tables.ts'

/**
 * How often an attempt may be made up for to a delivery. Leads that fail by themselves may look like an outage again
 * and again: then their schedule takes over, and they still get all of it.
 */
export const mostUncounted = 8

/**
 * Makes due what waits by our own schedule for an attempt that failed in the outage, and makes up for that attempt. Its
 * place is by the lead's age again. A wait that the distributor asked for stays.
 * @param since when the outage began, in epoch milliseconds; null where there was none
 */
export async function releaseWaiting(db: Kysely<StoreTables>, since: number | null): Promise<void> {
  if (since === null) return
  await db
    .updateTable('deliveries')
    .set((eb) => ({
      next_at: eb.ref('created_at'),
      waits_since: null,
      spared: eb('spared', '+', 1),
    }))
    .where('settled_at', 'is', null)
    .where('lease', 'is', null)
    .where('waits_since', '>=', since)
    .where('spared', '<', mostUncounted)
    .execute()
}
