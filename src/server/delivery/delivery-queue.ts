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
  type ItemReader,
  type LeaseRequest,
  readClaimedDeliveries,
} from './claim-deliveries.ts'
import { describeOutbox, type Outbox } from './outbox.ts'
import {
  type RecordAttemptsTask,
  type RecordedAttempt,
  recordDeliveryAttempts,
} from './record-attempts.ts'

/** The queue of deliveries, or of the notifications for one destination. All times come from the caller's clock. */
export interface OutboxQueue<Item extends ClaimedItem> {
  /**
   * Claims at most `limit` due items, the earliest due first, and leases them until `leaseUntil`. If an item's earlier
   * lease has expired, the earlier worker may have sent the item, so the claim counts an `unknown` attempt.
   * @param onHeld called if caps hold some of the due deliveries
   */
  claimDue(
    claim: ClaimRequest & { readonly limit: number },
    onHeld?: () => void,
  ): Promise<readonly Item[]>
  /**
   * Claims the breaker's next probe together with an item to send. However many workers ask, only one gets the probe,
   * until the probe fails or the worker's lease ends.
   */
  claimProbe(claim: ClaimRequest): Promise<Item | undefined>
  /**
   * Writes an attempt and its consequences in one transaction. Resolves with false if the worker lost the lease
   * meanwhile; a lead's attempt is then stored, but settles the delivery only if the distributor accepted the lead.
   */
  record(attempt: RecordedAttempt): Promise<boolean>
  /**
   * Gives unused leases back, so that others can claim the items. If a call fails, the next claim returns the leases.
   */
  release(items: readonly Item[]): Promise<void>
  /**
   * Gives back the leases of failed claims, and the leases that `release` could not give back.
   * @returns false if some leases are left, or a failed claim may still commit
   */
  returnLeases(now: number): Promise<boolean>
}

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

interface WorkQueueParts<Item extends ClaimedItem> extends Pick<OutboxQueue<Item>, 'record'> {
  /** The webhook or affiliate that receives the items; undefined for the distributor. */
  readonly destination?: Destination
  readonly claimDue: (claim: LeaseRequest) => Promise<ClaimResult<Item>>
  readonly readItems: ItemReader<Item>
}

export function makeOutboxQueue<Item extends ClaimedItem>(
  db: Kysely<StoreTables>,
  { destination, claimDue, readItems, record }: WorkQueueParts<Item>,
): OutboxQueue<Item> {
  const { claim, release, returnLeases } = makeLeaseReleaser(db, describeOutbox(destination))
  const makeLease = () => ({ destination, lease: randomUUIDv7() })
  return {
    claimDue: async (request, onHeld) => {
      const { items, heldCount } = await claim({ ...request, ...makeLease() }, claimDue)
      if (heldCount > 0) onHeld?.()
      return items
    },
    claimProbe: (request) =>
      claim({ ...request, ...makeLease() }, (probe) => claimProbe(db, probe, readItems)),
    ...{ record, release, returnLeases },
  }
}

/**
 * Makes the functions that give back the leases which this process does not use. A lease stays unused if the connection
 * failed during the claim's commit. An unused lease that expired would count as an attempt.
 */
function makeLeaseReleaser(db: Kysely<StoreTables>, outbox: Outbox) {
  const uncertainClaims = new Set<Pick<LeaseRequest, 'lease' | 'leaseUntil'>>()
  const unreturned = new Set<ClaimedItem>()

  const release = async (items: readonly ClaimedItem[]): Promise<void> => {
    for (const item of items) unreturned.add(item)
    const tried = [...unreturned]
    if (tried.length === 0) return
    const remaining = await releaseLeases(db, tried, outbox)
    for (const item of tried) if (!remaining.has(item.id)) unreturned.delete(item)
  }

  const returnLeases = async (now: number): Promise<boolean> => {
    await release([])
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
  const claim = async <Claim extends LeaseRequest | Omit<LeaseRequest, 'limit'>, Claimed>(
    request: Claim,
    run: (request: Claim) => Promise<Claimed>,
  ): Promise<Claimed> => {
    await returnLeases(request.now)
    try {
      return await run(request)
    } catch (error) {
      // If the database answered with an error, it has rolled the claim back, so no lease is left.
      if (error instanceof Error && isPostgresUnavailable(error)) uncertainClaims.add(request)
      throw error
    }
  }

  return { claim, release, returnLeases }
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
