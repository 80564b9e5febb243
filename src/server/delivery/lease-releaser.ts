import { type Kysely, sql } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { isPostgresUnavailable } from '#server/platform/faults/database-errors.ts'
import type { ClaimedItem, LeaseRequest } from './claim-deliveries.ts'
import { findOutbox, type Outbox } from './outbox.ts'

type ClaimMade = Pick<LeaseRequest, 'lease' | 'leaseUntil' | 'now'>

/**
 * Returns leases that this process will not use: from claims whose result is unknown because the connection failed at
 * the commit, and from failed returns. If an unused lease expires, its delivery counts as sent.
 */
export class LeaseReleaser {
  readonly #db: Kysely<StoreTables>
  readonly #outbox: Outbox
  readonly #uncertainClaims = new Set<ClaimMade>()
  readonly #unreturned = new Set<ClaimedItem>()

  constructor(db: Kysely<StoreTables>, outbox: Outbox = findOutbox(undefined)) {
    this.#db = db
    this.#outbox = outbox
  }

  async claim<Claimed>(claim: ClaimMade, take: () => Promise<Claimed>): Promise<Claimed> {
    await this.giveBack(claim.now)
    try {
      return await take()
    } catch (error) {
      // If the database answered with an error, it has rolled the claim back.
      if (error instanceof Error && isPostgresUnavailable(error)) this.#uncertainClaims.add(claim)
      throw error
    }
  }

  /** @returns true if no lease is left to return */
  async giveBack(now: number): Promise<boolean> {
    await this.release([])
    for (const claim of this.#uncertainClaims) {
      // Finds the claim by the lease's end, which is indexed.
      const { numUpdatedRows } = await endLeases(this.#db, this.#outbox)
        .where('settled_at', 'is', null)
        .where(this.#outbox.owns)
        .where('next_at', '=', claim.leaseUntil)
        .where('lease', '=', claim.lease)
        .executeTakeFirst()
      // A commit may still be in progress after its connection has ended, for example on a stalled disk.
      if (numUpdatedRows > 0n || claim.leaseUntil <= now) this.#uncertainClaims.delete(claim)
    }
    return this.#uncertainClaims.size === 0 && this.#unreturned.size === 0
  }

  async release(deliveries: readonly ClaimedItem[]): Promise<void> {
    for (const delivery of deliveries) this.#unreturned.add(delivery)
    const tried = [...this.#unreturned]
    if (tried.length === 0) return
    const remaining = await releaseLeases(this.#db, tried, this.#outbox)
    for (const delivery of tried) {
      if (!remaining.has(delivery.id)) this.#unreturned.delete(delivery)
    }
  }
}

/** Ends leases; the deliveries become due in the order of their leads' age. */
const endLeases = (db: Kysely<StoreTables>, { table }: Outbox) =>
  db
    .updateTable(table)
    .set((eb) => ({ lease: null, leased_until: null, next_at: eb.ref('created_at') }))

/**
 * Skips rows that another session has locked, because a session in psql may hold a lock for an hour.
 * @returns the ids of deliveries whose lease is still to be returned
 */
async function releaseLeases(
  db: Kysely<StoreTables>,
  deliveries: readonly ClaimedItem[],
  outbox: Outbox,
): Promise<ReadonlySet<string>> {
  const pairs = deliveries.map(({ id, lease }) => sql`(${id}, ${lease})`)
  const ours = db
    .selectFrom(outbox.table)
    .select('id')
    .where(sql<boolean>`(id, lease) in (values ${sql.join(pairs)})`)
  await endLeases(db, outbox).where('id', 'in', ours.forUpdate().skipLocked()).execute()
  return new Set((await ours.execute()).map(({ id }) => id))
}
