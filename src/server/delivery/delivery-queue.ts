import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Destination } from '#domain/notifications/notification.ts'
import { makeGroupCommit } from '#server/platform/database/group-commit.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { isInvalidRow, isPostgresUnavailable } from '#server/platform/faults/database-errors.ts'
import { claimProbe } from './breaker-store.ts'
import {
  type ClaimedDelivery,
  type ClaimedItem,
  type ClaimRequest,
  type ClaimResult,
  claimDueDeliveries,
  describeOutbox,
  type ItemReader,
  type LeaseRequest,
  type Outbox,
  readClaimedDeliveries,
} from './claim-deliveries.ts'
import {
  type RecordAttemptsTask,
  type RecordedAttempt,
  recordDeliveryAttempts,
} from './record-attempts.ts'

/** The queue of deliveries, or of the notifications for one destination. All times come from the caller's clock. */
export type OutboxQueue<Item extends ClaimedItem> = ReturnType<typeof makeOutboxQueue<Item>>

export type DeliveryQueue = OutboxQueue<ClaimedDelivery>

/**
 * Makes the queue of deliveries to the distributor. If the database's clock jumps ahead by more than a lease, workers
 * claim deliveries that others are still sending. The distributor may then receive a lead twice, but no lead is lost.
 */
export const makeDeliveryQueue = (database: Pick<LeadDatabase, 'db' | 'run'>): DeliveryQueue =>
  makeOutboxQueue(database.db, {
    claimDue: (claim) => database.run(claimDueDeliveries, claim),
    readItems: readClaimedDeliveries,
    record: makeAttemptRecorder(database, recordDeliveryAttempts),
  })

interface QueueParts<Item extends ClaimedItem> {
  /** The webhook or affiliate that receives the items; undefined for the distributor. */
  readonly destination?: Destination
  readonly claimDue: (claim: LeaseRequest) => Promise<ClaimResult<Item>>
  readonly readItems: ItemReader<Item>
  readonly record: (attempt: RecordedAttempt) => Promise<boolean>
}

export function makeOutboxQueue<Item extends ClaimedItem>(
  db: Kysely<StoreTables>,
  { destination, claimDue, readItems, record }: QueueParts<Item>,
) {
  const outbox = describeOutbox(destination)
  /** Claims whose commit may still take effect, because their connection failed. */
  const uncertainClaims = new Set<LeaseRequest>()
  const unreturned = new Set<ClaimedItem>()

  /**
   * Gives unused leases back, so that others can claim the items. An unused lease that expired would count as an
   * attempt. If a call fails, the next claim returns the leases.
   */
  const giveBack = async (items: readonly Item[]): Promise<void> => {
    for (const item of items) unreturned.add(item)
    const tried = [...unreturned]
    if (tried.length === 0) return
    const remaining = await giveBackLeases(db, tried, outbox)
    for (const item of tried) if (!remaining.has(item.id)) unreturned.delete(item)
  }

  /**
   * Gives back the leases of failed claims, and the leases that `giveBack` could not give back.
   * @returns false if some leases are left, or a failed claim may still commit
   */
  const returnLeases = async (now: number): Promise<boolean> => {
    await giveBack([])
    for (const claim of uncertainClaims) {
      // The query searches by the lease's end, because `next_at` is indexed.
      const { numUpdatedRows } = await endLeases(db, outbox)
        .where('settled_at', 'is', null)
        .where(outbox.isOwn)
        .where('next_at', '=', claim.leaseUntil)
        .where('lease', '=', claim.lease)
        .executeTakeFirst()
      // A commit may take effect after its connection has failed, for example on a stalled disk.
      if (numUpdatedRows > 0n || claim.leaseUntil <= now) uncertainClaims.delete(claim)
    }
    return uncertainClaims.size === 0 && unreturned.size === 0
  }

  /** Gives back the leases that are left over, then claims items. */
  const claim = async <Claimed>(
    request: ClaimRequest & { readonly limit: number },
    run: (claim: LeaseRequest) => Promise<Claimed>,
  ): Promise<Claimed> => {
    await returnLeases(request.now)
    const leased = { ...request, destination, lease: randomUUIDv7() }
    try {
      return await run(leased)
    } catch (error) {
      // If the database answered with an error, it has rolled the claim back, so no lease is left.
      if (error instanceof Error && isPostgresUnavailable(error)) uncertainClaims.add(leased)
      throw error
    }
  }

  return {
    /**
     * Claims at most `limit` due items, the earliest due first, and leases them until `leaseUntil`. If an item's earlier
     * lease has expired, the earlier worker may have sent the item, so the claim counts an `unknown` attempt.
     * @param onHeld called if caps hold some of the due deliveries
     */
    claimDue: async (
      request: ClaimRequest & { readonly limit: number },
      onHeld?: () => void,
    ): Promise<readonly Item[]> => {
      const { items, heldCount } = await claim(request, claimDue)
      if (heldCount > 0) onHeld?.()
      return items
    },
    /**
     * Claims the breaker's next probe together with an item to send. However many workers ask, only one gets the probe,
     * until the probe fails or the worker's lease ends.
     */
    claimProbe: (request: ClaimRequest): Promise<Item | undefined> =>
      claim({ ...request, limit: 1 }, (probe) => claimProbe(db, probe, readItems)),
    /**
     * Writes an attempt and its consequences in one transaction. Resolves with false if the worker lost the lease
     * meanwhile; a lead's attempt is then stored, but settles the delivery only if the distributor accepted the lead.
     */
    record,
    giveBack,
    returnLeases,
  }
}

/** Ends leases. The items become due at once, the oldest first. */
const endLeases = (db: Kysely<StoreTables>, { table }: Outbox) =>
  db
    .updateTable(table)
    .set((eb) => ({ lease: null, leased_until: null, next_at: eb.ref('created_at') }))

/**
 * Ends the leases of items, but skips rows that another database session has locked: a person in psql may hold a lock
 * for an hour.
 * @returns the ids of the skipped items
 */
async function giveBackLeases(
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

/** The most items in one statement. An item takes up to sixteen parameters, and SQLite allows 32,766. */
export const maxBatchSize = 200

/** Makes the function that records attempts; attempts that end together share a transaction. */
export const makeAttemptRecorder = ({ run }: Pick<LeadDatabase, 'run'>, task: RecordAttemptsTask) =>
  makeGroupCommit<RecordedAttempt, boolean>({
    maxBatch: maxBatchSize,
    keysOf: ({ deliveryId }) => [deliveryId],
    isItemFault: isInvalidRow,
    commit: (batch) => run(task, batch),
  })
