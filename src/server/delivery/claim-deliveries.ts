import { randomUUIDv7 } from 'node:crypto'
import type { Expression, ExpressionBuilder, Kysely, SqlBool, Transaction } from 'kysely'
import type { ProbeKind } from '#domain/delivery/breaker.ts'
import type { Lead, Unreadable } from '#domain/lead/lead.ts'
import { orUnreadable } from '#server/leads/lead-payload.ts'
import { selectLeads, toLead } from '#server/leads/lead-row.ts'
import type { Locking, StoreWork } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { countAttempts } from './delivery-rollups.ts'
import { maxUncounted, recordAttempts } from './record-attempts.ts'

type ClaimedRows = Awaited<ReturnType<typeof claimDeliveries>>

export interface Claimed {
  readonly deliveries: readonly ClaimedDelivery[]
  /** Claimed deliveries that could not be read: see `deadLetterCorrupt`. */
  readonly unreadable: readonly UnreadableClaim[]
}

/** Claims due deliveries with their leads, oldest due first. */
export const claimDueDeliveries: StoreWork<LeaseClaim, Claimed> = {
  name: 'claimDueDeliveries',
  run: async (db, claim) => {
    const rows = await db.transaction().execute((store) => claimDeliveries(store, claim))
    return attachLeads(db, rows, claim)
  },
}

/** The claimed deliveries with their leads. */
export async function attachLeads(
  db: Kysely<StoreTables>,
  rows: ClaimedRows,
  claim: Omit<LeaseClaim, 'limit'>,
): Promise<Claimed> {
  if (rows.length === 0) return { deliveries: [], unreadable: [] }
  const { lease, leaseUntil: leasedUntil } = claim
  const leads = await findLeads(db, rows)
  const deliveries: ClaimedDelivery[] = []
  const corrupt: CorruptDelivery[] = []
  for (const { id, lead_id: leadId, attempts: attemptsBefore, spared } of rows) {
    const lead = leads.get(leadId)
    if (lead === undefined) continue
    if ('parts' in lead) {
      corrupt.push({ id, leadId, ...lead })
      continue
    }
    const triesSpent = attemptsBefore - spared
    deliveries.push({ id, lease, leasedUntil, attemptsBefore, triesSpent, lead })
  }
  return { deliveries, unreadable: await deadLetterCorrupt(db, corrupt, claim) }
}

/** By their ids. One that cannot be read holds up none of those that were claimed with it. */
async function findLeads(
  db: Kysely<StoreTables>,
  rows: ClaimedRows,
): Promise<ReadonlyMap<string, Lead | Unreadable>> {
  const ids = rows.map(({ lead_id }) => lead_id)
  const found = await selectLeads(db).where('leads.id', 'in', ids).execute()
  return new Map(
    found.map((row) => [
      row.lead_id,
      orUnreadable<Lead, Unreadable>(
        () => toLead(row),
        (unreadable) => unreadable,
      ),
    ]),
  )
}

/** A delivery leased by this worker. */
export interface ClaimedDelivery {
  readonly id: string
  /** Fences the settlement: another worker's claim replaces it. */
  readonly lease: string
  /** Epoch milliseconds. */
  readonly leasedUntil: number
  /** Earlier attempts. */
  readonly attemptsBefore: number
  /** Those of them that spent the retry schedule. */
  readonly triesSpent: number
  readonly lead: Lead
  /** If the breaker let it through alone. */
  readonly probe?: ProbeKind
}

/** A delivery that was claimed and cannot be made. */
export interface UnreadableClaim extends Unreadable {
  readonly leadId: string
}

export interface Claim {
  readonly now: number
  readonly leaseUntil: number
  /**
   * Hears of what cannot be read. It is not among what was claimed: where it is damaged its delivery is dead; where a newer
   * release has written it, it is due again when the lease would have ended, for a worker that can.
   */
  readonly onUnreadable?: (claim: UnreadableClaim) => void
}

export interface LeaseClaim extends Pick<Claim, 'now' | 'leaseUntil'> {
  readonly limit: number
  readonly lease: string
  readonly locking: Locking
}

/**
 * The open deliveries that a claim may take: all that are due, or the one that a probe has chosen.
 */
type Claimable = (eb: ExpressionBuilder<StoreTables, 'deliveries'>) => Expression<SqlBool>

/**
 * Takes due deliveries, oldest due first. `next_at` moves to the lease's end: a worker that dies
 * leaves nothing to clean up, its deliveries are due again by themselves. An attempt that such a
 * worker may have sent is recorded in the same transaction.
 */
export const claimDeliveries = (store: Transaction<StoreTables>, claim: LeaseClaim) =>
  claimMatching(store, claim, (eb) => eb('next_at', '<=', claim.now))

/** Takes this one, due or not, unless a worker has it. */
export async function claimDelivery(
  store: Transaction<StoreTables>,
  id: string,
  claim: Omit<LeaseClaim, 'limit'>,
) {
  const isFree: Claimable = (eb) =>
    eb.and([eb('id', '=', id), eb.or([eb('lease', 'is', null), eb('next_at', '<=', claim.now)])])
  const [row] = await claimMatching(store, { ...claim, limit: 1 }, isFree)
  return row
}

async function claimMatching(
  store: Transaction<StoreTables>,
  claim: LeaseClaim,
  isClaimable: Claimable,
) {
  const rows = await setLeases(store, claim, isClaimable)
  const abandoned = rows.filter(({ lost_lease }) => lost_lease !== null)
  if (abandoned.length > 0) await insertUnknown(store, abandoned, claim)
  return rows.toSorted((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1))
}

/**
 * The rows are chosen in a materialised CTE because `id in (select … limit n)` may be planned as a join that takes more
 * than n on PostgreSQL. The update looks at them once more, so the claim is right without `skip locked` too, which is
 * slow on CockroachDB (https://github.com/cockroachdb/cockroach/issues/97135) and YugabyteDB. 0.2 ms on SQLite and
 * 0.6 ms on PostgreSQL with a million waiting.
 */
function setLeases(store: Kysely<StoreTables>, claim: LeaseClaim, isClaimable: Claimable) {
  return store
    .with(
      (cte) => cte('due').materialized(),
      (query) =>
        query
          .selectFrom('deliveries')
          .select(['id', 'next_at', 'lease'])
          .where('settled_at', 'is', null)
          .where(isClaimable)
          .orderBy('next_at')
          .orderBy('id')
          .limit(claim.limit)
          .$if(claim.locking === 'rows', (query) => query.forUpdate().skipLocked()),
    )
    .updateTable('deliveries')
    .set((eb) => {
      const isAbandoned = eb('lease', 'is not', null)
      const oneMoreWhere = (condition: typeof isAbandoned) =>
        eb.case().when(condition).then(1).else(0).end()
      return {
        lease: claim.lease,
        leased_until: claim.leaseUntil,
        next_at: claim.leaseUntil,
        attempts: eb('attempts', '+', oneMoreWhere(isAbandoned)),
        unknown_attempts: eb('unknown_attempts', '+', oneMoreWhere(isAbandoned)),
        possible_duplicates: eb(
          'possible_duplicates',
          '+',
          oneMoreWhere(eb.and([isAbandoned, eb('unknown_attempts', '>', 0)])),
        ),
        spared: eb(
          'spared',
          '+',
          oneMoreWhere(eb.and([isAbandoned, eb('spared', '<', maxUncounted)])),
        ),
      }
    })
    .where('id', 'in', (eb) => eb.selectFrom('due').select('due.id'))
    .where('settled_at', 'is', null)
    .where(isClaimable)
    .returning((eb) => {
      const due = eb.selectFrom('due').whereRef('due.id', '=', 'deliveries.id')
      return [
        'deliveries.id',
        'deliveries.lead_id',
        'deliveries.created_at',
        'deliveries.attempts',
        'deliveries.spared',
        due.select('due.next_at').$asScalar().$notNull().as('due_at'),
        due.select('due.lease').$asScalar().as('lost_lease'),
      ]
    })
    .execute()
}

/** A process with the same settings claimed it one lease's length before the lease's end, and may have sent it. */
async function insertUnknown(
  store: Transaction<StoreTables>,
  abandoned: Awaited<ReturnType<typeof setLeases>>,
  { now, leaseUntil }: LeaseClaim,
): Promise<void> {
  const durationMs = leaseUntil - now
  const outcome = 'unknown' as const
  await store
    .insertInto('attempts')
    .values(
      abandoned.map(({ id, due_at: leaseEnd }) => ({
        id: randomUUIDv7(),
        delivery_id: id,
        started_at: leaseEnd - durationMs,
        duration_ms: durationMs,
        outcome,
        http_status: null,
        reason: 'process-ended' as const,
        detail: null,
      })),
    )
    .execute()
  await countAttempts(
    store,
    abandoned.map(({ due_at: leaseEnd, created_at: openedAt }) => ({
      outcome,
      startedAt: leaseEnd - durationMs,
      durationMs,
      openedAt,
    })),
  )
}

type CorruptDelivery = UnreadableClaim & { readonly id: string }

/**
 * Settles claimed deliveries as dead if their lead cannot be read, so that they are not claimed again whenever their lease
 * ends. A lead of a newer release has not been sent and uses no attempt: it is due when the lease would have ended, as this
 * worker would otherwise claim it again immediately.
 */
export async function deadLetterCorrupt(
  db: Kysely<StoreTables>,
  corrupt: readonly CorruptDelivery[],
  { now, lease, leaseUntil, locking }: Omit<LeaseClaim, 'limit'>,
): Promise<readonly UnreadableClaim[]> {
  const newer = corrupt.flatMap(({ id, isNewer }) => (isNewer ? [id] : []))
  if (newer.length > 0) {
    await db
      .updateTable('deliveries')
      .set({ lease: null, leased_until: null, next_at: leaseUntil })
      .where('id', 'in', newer)
      .where('lease', '=', lease)
      .execute()
  }
  const attempts = corrupt
    .filter(({ isNewer }) => !isNewer)
    .map(({ id: deliveryId }) => ({
      id: randomUUIDv7(),
      deliveryId,
      lease,
      startedAt: now,
      durationMs: 0,
      outcome: { name: 'not-made', reason: 'unreadable' } as const,
      next: { settledAs: 'dead', at: now } as const,
    }))
  if (attempts.length > 0) await recordAttempts(db, attempts, locking)
  return corrupt.map(({ id: _, ...unreadable }) => unreadable)
}
