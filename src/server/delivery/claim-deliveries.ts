import { randomUUIDv7 } from 'node:crypto'
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely'
import type { ProbeKind } from '#domain/delivery/breaker.ts'
import type { Lead, UnreadableParts } from '#domain/lead/lead.ts'
import type { Destination } from '#domain/notifications/notification.ts'
import { catchUnreadable } from '#server/leads/lead-payload.ts'
import { selectLeads, toLead } from '#server/leads/read-leads.ts'
import type { DatabaseTask } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { applyCaps } from './cap-holds.ts'
import { countAttempts } from './delivery-rollups.ts'
import { findOutbox } from './outbox.ts'
import { maxTriesReturned, recordAttempts } from './record-attempts.ts'

type ClaimedRows = Awaited<ReturnType<typeof claimDeliveries>>['rows']

export interface ClaimResult {
  readonly deliveries: readonly ClaimedDelivery[]
  /** Claimed deliveries of leads that cannot be read; see `deadLetterUnreadable`. */
  readonly unreadable: readonly UnreadableDelivery[]
  /** How many due deliveries caps hold, so that they were not claimed. */
  readonly heldCount?: number
}

export const claimDueDeliveries: DatabaseTask<LeaseRequest, ClaimResult> = {
  name: 'claimDueDeliveries',
  run: async (db, claim) => {
    const { rows, heldCount } = await db
      .transaction()
      .execute((store) => claimDeliveries(store, claim))
    return { ...(await attachLeads(db, rows, claim)), heldCount }
  },
}

/** Adds its lead to each claimed delivery, and lists unreadable leads separately. */
export async function attachLeads(
  db: Kysely<StoreTables>,
  rows: ClaimedRows,
  claim: Omit<LeaseRequest, 'limit'>,
): Promise<ClaimResult> {
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
  return { deliveries, unreadable: await deadLetterUnreadable(db, corrupt, claim) }
}

/** Finds the leads of claimed deliveries by id. An unreadable lead does not delay the other leads. */
export async function findLeads(
  db: Kysely<StoreTables>,
  rows: readonly { readonly lead_id: string | null }[],
): Promise<ReadonlyMap<string, Lead | UnreadableParts>> {
  const ids = rows.map(({ lead_id }) => lead_id).filter((id) => id !== null)
  const found = await selectLeads(db).where('leads.id', 'in', ids).execute()
  return new Map(
    found.map((row) => [
      row.lead_id,
      catchUnreadable<Lead, UnreadableParts>(
        () => toLead(row),
        (unreadable) => unreadable,
      ),
    ]),
  )
}

export interface ClaimedDelivery extends ClaimedItem {
  readonly lead: Lead
}

/** A claimed delivery or notification. */
export interface ClaimedItem {
  readonly id: string
  /** The lead that the item is about. */
  readonly lead: Pick<Lead, 'id'>
  /** Only the worker with the current lease may settle the delivery; another worker's claim replaces the lease. */
  readonly lease: string
  /** Epoch milliseconds. */
  readonly leasedUntil: number
  readonly attemptsBefore: number
  /** The number of earlier attempts that count toward the retry schedule. */
  readonly triesSpent: number
  /** Set if the delivery is sent as a probe while the breaker is open. */
  readonly probe?: ProbeKind
}

export interface UnreadableDelivery extends UnreadableParts {
  readonly leadId: string
}

export interface ClaimRequest {
  readonly now: number
  readonly leaseUntil: number
  /** Receives each claimed lead that cannot be read; its delivery becomes dead. */
  readonly onUnreadable?: (claim: UnreadableDelivery) => void
  /** Called if caps hold some of the deliveries that were due. */
  readonly onHeld?: () => void
  /** The school's time zone, for caps; UTC if it is missing. */
  readonly zone?: string | undefined
}

export interface LeaseRequest extends Pick<ClaimRequest, 'now' | 'leaseUntil' | 'zone'> {
  readonly limit: number
  readonly lease: string
  /** The webhook or affiliate whose notifications are claimed; undefined for deliveries to the distributor. */
  readonly destination?: Destination
}

/** Selects the deliveries that may be claimed: all due deliveries, or the single delivery chosen as a probe. */
type Claimable = (eb: ExpressionBuilder<StoreTables, 'deliveries'>) => Expression<SqlBool>

/**
 * Claims due deliveries, oldest due first. `next_at` moves to the lease's end, so the deliveries of a worker that dies
 * become due again. If a dead worker may have sent a delivery, the claim's transaction records an `unknown` attempt.
 */
export const claimDeliveries = (store: Transaction<StoreTables>, claim: LeaseRequest) =>
  claimMatching(store, claim, (eb) => eb('next_at', '<=', claim.now))

/** Claims one delivery, whether it is due or not, unless another worker has leased it. */
export async function claimDelivery(
  store: Transaction<StoreTables>,
  id: string,
  claim: Omit<LeaseRequest, 'limit'>,
) {
  const isFree: Claimable = (eb) =>
    eb.and([eb('id', '=', id), eb.or([eb('lease', 'is', null), eb('next_at', '<=', claim.now)])])
  const { rows } = await claimMatching(store, { ...claim, limit: 1 }, isFree)
  return rows[0]
}

async function claimMatching(
  store: Transaction<StoreTables>,
  claim: LeaseRequest,
  isClaimable: Claimable,
) {
  const rows = (await setLeases(store, claim, isClaimable)).toSorted(
    (a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1),
  )
  // Notifications have no caps, and their attempts are only counted.
  if (claim.destination !== undefined) return { rows, heldCount: 0 }
  const { now, zone = 'UTC' } = claim
  const held = rows[0]?.has_caps ? await applyCaps(store, rows, { now, zone }) : undefined
  const abandoned = rows.filter(({ lost_lease }) => lost_lease !== null)
  if (abandoned.length > 0) await insertUnknownAttempts(store, abandoned, claim)
  return { rows: rows.filter(({ id }) => !held?.has(id)), heldCount: held?.size ?? 0 }
}

/**
 * Leases the oldest due deliveries. The CTE is materialized because PostgreSQL may plan `id in (select … limit n)` as a
 * join that takes more than n rows. The update repeats the conditions, so the claim is correct without `skip locked`,
 * which is slow on CockroachDB (https://github.com/cockroachdb/cockroach/issues/97135) and YugabyteDB. With a million
 * waiting deliveries, a claim takes 0.2 ms on SQLite and 0.6 ms on PostgreSQL.
 */
function setLeases(store: Kysely<StoreTables>, claim: LeaseRequest, isClaimable: Claimable) {
  const { table, owns } = findOutbox(claim.destination)
  return store
    .with(
      (cte) => cte('due').materialized(),
      (query) =>
        query
          .selectFrom(table)
          .select(['id as due_id', 'next_at as due_at', 'lease as lost_lease'])
          .where('settled_at', 'is', null)
          .where(owns)
          .where(isClaimable)
          .orderBy('next_at')
          .orderBy('id')
          .limit(claim.limit)
          .forUpdate()
          .skipLocked(),
    )
    .updateTable(table)
    .set((eb) => {
      const isAbandoned = eb('lease', 'is not', null)
      const countIf = (condition: typeof isAbandoned) =>
        eb.case().when(condition).then(1).else(0).end()
      return {
        lease: claim.lease,
        leased_until: claim.leaseUntil,
        next_at: claim.leaseUntil,
        attempts: eb('attempts', '+', countIf(isAbandoned)),
        unknown_attempts: eb('unknown_attempts', '+', countIf(isAbandoned)),
        possible_duplicates: eb(
          'possible_duplicates',
          '+',
          countIf(eb.and([isAbandoned, eb('unknown_attempts', '>', 0)])),
        ),
        spared: eb(
          'spared',
          '+',
          countIf(eb.and([isAbandoned, eb('spared', '<', maxTriesReturned)])),
        ),
      }
    })
    .where('id', 'in', (eb) => eb.selectFrom('due').select('due_id'))
    .where('settled_at', 'is', null)
    .where(isClaimable)
    .returning((eb) => {
      // SQLite knows no alias of the table in this clause.
      const due = eb.selectFrom('due').whereRef('due_id', '=', sql.ref('id'))
      return [
        'id',
        'lead_id',
        'attempts',
        'spared',
        due.select('due_at').$asScalar().$notNull().as('due_at'),
        due.select('lost_lease').$asScalar().as('lost_lease'),
        // Without caps, a claim needs no further statement.
        eb.exists(eb.selectFrom('caps').select('caps.id')).as('has_caps'),
      ]
    })
    .execute()
}

/** Records an `unknown` attempt for each expired lease, assuming that the dead worker's leases were equally long. */
async function insertUnknownAttempts(
  store: Transaction<StoreTables>,
  abandoned: Awaited<ReturnType<typeof setLeases>>,
  { now, leaseUntil }: LeaseRequest,
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
    abandoned.map(({ due_at: leaseEnd }) => ({
      outcome,
      startedAt: leaseEnd - durationMs,
      durationMs,
    })),
  )
}

type CorruptDelivery = UnreadableDelivery & { readonly id: string }

/** Settles claimed deliveries of unreadable leads as dead, so that no worker claims them again. */
export async function deadLetterUnreadable(
  db: Kysely<StoreTables>,
  corrupt: readonly CorruptDelivery[],
  { now, lease }: Omit<LeaseRequest, 'limit'>,
): Promise<readonly UnreadableDelivery[]> {
  const attempts = corrupt.map(({ id: deliveryId }) => ({
    id: randomUUIDv7(),
    deliveryId,
    lease,
    startedAt: now,
    durationMs: 0,
    outcome: { name: 'not-made', reason: 'unreadable' } as const,
    next: { settledAs: 'dead', at: now } as const,
  }))
  // A second try of the whole claim would claim other deliveries.
  if (attempts.length > 0) await retryConflicts(() => recordAttempts(db, attempts))
  return corrupt.map(({ id: _, ...unreadable }) => unreadable)
}
