import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Locking } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { isPostgresAway } from '#server/platform/faults/database-errors.ts'
import { releaseProbe } from './breaker-store.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'

/** SQLite limits the depth of an expression to 1000, and each pair of id and lease adds one level. */
const maxAtOnce = 500

interface LeaseReturnsParts {
  readonly db: Kysely<StoreTables>
  readonly locking: Locking
}

interface UncertainClaim {
  readonly lease: string
  /** Epoch milliseconds. */
  readonly leaseUntil: number
  readonly now: number
}

/**
 * Returns leases that this process holds and will not use: from claims with an unknown result, for example after the
 * connection failed at the commit, and from failed releases. An unused lease that expires would count as a sent
 * delivery.
 */
export class LeaseReturns {
  readonly #db: Kysely<StoreTables>
  readonly #locking: Locking
  readonly #uncertainClaims = new Map<string, UncertainClaim>()
  readonly #unreturned = new Map<string, ClaimedDelivery>()

  constructor({ db, locking }: LeaseReturnsParts) {
    this.#db = db
    this.#locking = locking
  }

  async claim<Claimed>(claim: UncertainClaim, take: () => Promise<Claimed>): Promise<Claimed> {
    await this.giveBack(claim.now)
    try {
      return await take()
    } catch (error) {
      // If SQLite or PostgreSQL answered with an error, the database has rolled the claim back.
      if (error instanceof Error && isPostgresAway(error))
        this.#uncertainClaims.set(claim.lease, claim)
      throw error
    }
  }

  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    for (const delivery of deliveries) this.#unreturned.set(delivery.id, delivery)
    await this.#release()
  }

  /** @returns true if no lease is left to return */
  async giveBack(now: number): Promise<boolean> {
    await this.#release()
    for (const claim of this.#uncertainClaims.values()) {
      const hadEffect = await releaseClaim(this.#db, { ...claim, now })
      // A commit may still be in progress after its connection has ended, for example on a stalled disk.
      if (hadEffect || claim.leaseUntil <= now) this.#uncertainClaims.delete(claim.lease)
    }
    return this.#uncertainClaims.size === 0 && this.#unreturned.size === 0
  }

  async #release(): Promise<void> {
    const all = [...this.#unreturned.values()]
    for (let from = 0; from < all.length; from += maxAtOnce) {
      const deliveries = all.slice(from, from + maxAtOnce)
      const remaining = await retryConflicts(() =>
        releaseLeases(this.#db, deliveries, this.#locking),
      )
      for (const { id, lease } of deliveries) {
        if (!remaining.has(id) && this.#unreturned.get(id)?.lease === lease)
          this.#unreturned.delete(id)
      }
    }
  }
}

/** Ends the lease and puts the delivery back in the order of its lead's age. */
const releasedColumns = (db: Kysely<StoreTables>) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({ lease: null, leased_until: null, next_at: eb.ref('created_at') }))

/**
 * Skips rows that another session has locked, because a session in psql may hold a lock for an hour.
 * @returns the ids of deliveries whose lease is still to be returned
 */
async function releaseLeases(
  db: Kysely<StoreTables>,
  deliveries: readonly ClaimedDelivery[],
  locking: Locking,
): Promise<ReadonlySet<string>> {
  const ids = deliveries.map(({ id }) => id)
  const hasOurLease = ({ or, and }: ExpressionBuilder<StoreTables, 'deliveries'>) =>
    or(deliveries.map(({ id, lease }) => and({ id, lease })))
  const { numUpdatedRows } = await releasedColumns(db)
    .where(hasOurLease)
    .$if(locking === 'rows', (query) =>
      query.where('id', 'in', (eb) =>
        eb
          .selectFrom('deliveries as free')
          .select('free.id')
          .where('free.id', 'in', ids)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .executeTakeFirst()
  if (numUpdatedRows === BigInt(ids.length)) return new Set()
  const remaining = await db.selectFrom('deliveries').select('id').where(hasOurLease).execute()
  return new Set(remaining.map(({ id }) => id))
}

/** Finds the claim by the lease's end, which is indexed. @returns true if the claim had taken effect */
async function releaseClaim(db: Kysely<StoreTables>, claim: UncertainClaim): Promise<boolean> {
  const { numUpdatedRows } = await releasedColumns(db)
    .where('settled_at', 'is', null)
    .where('next_at', '=', claim.leaseUntil)
    .where('lease', '=', claim.lease)
    .executeTakeFirst()
  const hadProbe = await releaseProbe(db, claim)
  return hadProbe || numUpdatedRows > 0n
}
