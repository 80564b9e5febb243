import { type Kysely, sql } from 'kysely'
import type { Locking } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'

/**
 * Returns leases that this process holds and will not use. If a return fails, the next call repeats it, because an
 * unused lease that expires would count as a sent delivery.
 */
export class LeaseReturns {
  readonly #db: Kysely<StoreTables>
  readonly #locking: Locking
  readonly #unreturned = new Set<ClaimedDelivery>()

  constructor(db: Kysely<StoreTables>, locking: Locking) {
    this.#db = db
    this.#locking = locking
  }

  /** @returns true if no lease is left to return */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<boolean> {
    for (const delivery of deliveries) this.#unreturned.add(delivery)
    const tried = [...this.#unreturned]
    if (tried.length === 0) return true
    const remaining = await retryConflicts(() => releaseLeases(this.#db, tried, this.#locking))
    for (const delivery of tried) {
      if (!remaining.has(delivery.id)) this.#unreturned.delete(delivery)
    }
    return this.#unreturned.size === 0
  }
}

/**
 * Ends the leases and puts the deliveries back in the order of their leads' age. Skips rows that another session has
 * locked, because a session in psql may hold a lock for an hour.
 * @returns the ids of deliveries whose lease is still to be returned
 */
async function releaseLeases(
  db: Kysely<StoreTables>,
  deliveries: readonly ClaimedDelivery[],
  locking: Locking,
): Promise<ReadonlySet<string>> {
  const pairs = deliveries.map(({ id, lease }) => sql`(${id}, ${lease})`)
  const ours = db
    .selectFrom('deliveries as ours')
    .select('ours.id')
    .where(sql<boolean>`(ours.id, ours.lease) in (values ${sql.join(pairs)})`)
  const free = locking === 'rows' ? ours.forUpdate().skipLocked() : ours
  await db
    .updateTable('deliveries')
    .set((eb) => ({ lease: null, leased_until: null, next_at: eb.ref('created_at') }))
    .where('id', 'in', free)
    .execute()
  return new Set((await ours.execute()).map(({ id }) => id))
}
