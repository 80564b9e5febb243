import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Locking } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { isPostgresAway } from '#server/platform/faults/database-errors.ts'
import { releaseProbe } from './breaker-store.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'

/** SQLite reads no expression that is deeper than 1000, and each pair of id and lease is one deeper. */
const maxAtOnce = 500

interface ReturnedLease {
  readonly db: Kysely<StoreTables>
  readonly locking: Locking
}

interface LostClaim {
  readonly lease: string
  /** Epoch milliseconds. */
  readonly leaseUntil: number
  readonly now: number
}

/**
 * Leases that this process holds and will not use: from claims with an unknown result, for example
 * after a connection lost at the commit, and from deliveries whose return failed. They are given
 * back before the next claim, or they would lie there until their leases end, and then count as
 * sent.
 */
export class LeaseReturns {
  readonly #db: Kysely<StoreTables>
  readonly #locking: Locking
  readonly #unheard = new Map<string, LostClaim>()
  readonly #unreturned = new Map<string, ClaimedDelivery>()

  constructor({ db, locking }: ReturnedLease) {
    this.#db = db
    this.#locking = locking
  }

  async claim<Claimed>(claim: LostClaim, take: () => Promise<Claimed>): Promise<Claimed> {
    await this.giveBack(claim.now)
    try {
      return await take()
    } catch (error) {
      // The database itself has undone what it refused: SQLite's file, or an answer of
      // PostgreSQL's.
      if (error instanceof Error && isPostgresAway(error)) this.#unheard.set(claim.lease, claim)
      throw error
    }
  }

  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    for (const delivery of deliveries) this.#unreturned.set(delivery.id, delivery)
    await this.#release()
  }

  /** @returns whether there is nothing left to give back */
  async giveBack(now: number): Promise<boolean> {
    await this.#release()
    for (const claim of this.#unheard.values()) {
      const hasCome = await releaseClaim(this.#db, { ...claim, now })
      // A commit may still be in progress after its connection has ended, for example on a stalled
      // disk.
      if (hasCome || claim.leaseUntil <= now) this.#unheard.delete(claim.lease)
    }
    return this.#unheard.size === 0 && this.#unreturned.size === 0
  }

  async #release(): Promise<void> {
    const all = [...this.#unreturned.values()]
    for (let from = 0; from < all.length; from += maxAtOnce) {
      const deliveries = all.slice(from, from + maxAtOnce)
      const left = await retryConflicts(() => releaseLeases(this.#db, deliveries, this.#locking))
      for (const { id, lease } of deliveries) {
        if (!left.has(id) && this.#unreturned.get(id)?.lease === lease) this.#unreturned.delete(id)
      }
    }
  }
}

/** Each returns to its lead's place in the order. */
const releasedColumns = (db: Kysely<StoreTables>) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({ lease: null, leased_until: null, next_at: eb.ref('created_at') }))

/**
 * A row that somebody else has locked, as a session in psql may for an hour, is not waited for: nothing was claimed meanwhile.
 * @returns those that are still to be given back
 */
async function releaseLeases(
  db: Kysely<StoreTables>,
  deliveries: readonly ClaimedDelivery[],
  locking: Locking,
): Promise<ReadonlySet<string>> {
  const ids = deliveries.map(({ id }) => id)
  const areOurs = ({ or, and }: ExpressionBuilder<StoreTables, 'deliveries'>) =>
    or(deliveries.map(({ id, lease }) => and({ id, lease })))
  const { numUpdatedRows } = await releasedColumns(db)
    .where(areOurs)
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
  const left = await db.selectFrom('deliveries').select('id').where(areOurs).execute()
  return new Set(left.map(({ id }) => id))
}

/** By the lease's end, which is indexed. @returns whether the claim has come to anything by now */
async function releaseClaim(db: Kysely<StoreTables>, claim: LostClaim): Promise<boolean> {
  const { numUpdatedRows } = await releasedColumns(db)
    .where('settled_at', 'is', null)
    .where('next_at', '=', claim.leaseUntil)
    .where('lease', '=', claim.lease)
    .executeTakeFirst()
  const hadProbe = await releaseProbe(db, claim)
  return hadProbe || numUpdatedRows > 0n
}
