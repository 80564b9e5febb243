import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely'
import type { ProbeKind } from '#domain/delivery/breaker.ts'
import type { Lead, UnreadableLead } from '#domain/lead/lead.ts'
import type { Destination } from '#domain/notifications/notification.ts'
import { selectSendableLeads, toLead } from '#server/leads/read-leads.ts'
import type { DatabaseTask } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import { applyCaps } from './cap-holds.ts'
import { countAttempts } from './delivery-rollups.ts'
import { describeOutbox } from './outbox.ts'
import { insertAttempts, maxUncountedAttempts } from './record-attempts.ts'

/** Claims due deliveries and reads their leads in one transaction, so that a failed read undoes the claim. */
export const claimDueDeliveries: DatabaseTask<LeaseRequest, ClaimResult<ClaimedDelivery>> = {
  name: 'claimDueDeliveries',
  run: (db, claim) =>
    db.transaction().execute((store) => claimDueItems(store, claim, readClaimedDeliveries)),
}

export interface ClaimResult<Item extends ClaimedItem> {
  readonly items: readonly Item[]
  /** The number of due deliveries that were not claimed because caps hold them. */
  readonly heldCount: number
}

/** Reads the lead or the notification of each claimed row. */
export type ItemReader<Item extends ClaimedItem> = (
  store: Transaction<StoreTables>,
  rows: readonly ClaimedRow[],
) => Promise<readonly Item[]>

export const readClaimedDeliveries: ItemReader<ClaimedDelivery> = async (store, rows) => {
  const leads = await readSendableLeads(store, rows)
  return rows.flatMap(({ lead_id, ...item }) => {
    const lead = leads.get(lead_id)
    return lead ? { ...item, lead } : []
  })
}

/** Reads leads by id, so that they can be sent. An unreadable lead does not delay the others. */
export async function readSendableLeads(
  db: Kysely<StoreTables>,
  rows: readonly { readonly lead_id: string | null }[],
): Promise<ReadonlyMap<string, ClaimedDelivery['lead']>> {
  const ids = rows.flatMap(({ lead_id }) => lead_id ?? [])
  if (ids.length === 0) return new Map()
  const found = await selectSendableLeads(db).where('leads.id', 'in', ids).execute()
  return new Map(found.map((row) => [row.lead_id, toLead(row)]))
}

export interface ClaimedDelivery extends ClaimedItem {
  readonly lead: Lead | Pick<UnreadableLead, 'id' | 'receivedAt' | 'unreadable'>
}

/** A claimed delivery or notification. */
export interface ClaimedItem {
  readonly id: string
  readonly lead: Pick<Lead, 'id'> & Partial<Pick<UnreadableLead, 'unreadable'>>
  /** Only the worker with the current lease may settle the item; another worker's claim replaces the lease. */
  readonly lease: string
  /** Epoch milliseconds. */
  readonly leasedUntil: number
  readonly attemptsBefore: number
  /** How many earlier attempts count toward the retry schedule. */
  readonly attemptsSpent: number
  /** Set if the item is sent as a probe while the breaker is open. */
  readonly probe?: ProbeKind
}

interface ClaimedRow extends Omit<ClaimedItem, 'lead' | 'probe'> {
  readonly lead_id: string
}

export interface ClaimRequest {
  readonly now: number
  readonly leaseUntil: number
  /** The school's time zone, in which caps count days and months; UTC by default. */
  readonly zone?: string | undefined
}

export interface LeaseRequest extends ClaimRequest {
  readonly limit: number
  readonly lease: string
  /** The webhook or affiliate whose notifications are claimed; undefined for deliveries to the distributor. */
  readonly destination?: Destination | undefined
}

/** The request to claim a delivery as the probe. `probeFailed` later identifies the probe by this request's lease. */
export type ProbeClaim = Omit<LeaseRequest, 'limit'>

type Claimable = (eb: ExpressionBuilder<StoreTables, 'deliveries'>) => Expression<SqlBool>

/**
 * Claims due items, the earliest due first. The claim sets `next_at` to the lease's end, so that the items become due
 * again if the worker dies. If a worker has died and may have sent an item, the claim's transaction records an
 * `unknown` attempt.
 */
export const claimDueItems = <Item extends ClaimedItem>(
  store: Transaction<StoreTables>,
  claim: LeaseRequest,
  readItems: ItemReader<Item>,
) => claimMatching(store, claim, (eb) => eb('next_at', '<=', claim.now), readItems)

/** Claims one item, due or not, unless another worker has leased it. */
export const claimItemById = <Item extends ClaimedItem>(
  store: Transaction<StoreTables>,
  id: string,
  claim: ProbeClaim,
  readItems: ItemReader<Item>,
) => {
  const isClaimable: Claimable = (eb) =>
    eb.and([eb('id', '=', id), eb.or([eb('lease', 'is', null), eb('next_at', '<=', claim.now)])])
  return claimMatching(store, { ...claim, limit: 1 }, isClaimable, readItems)
}

async function claimMatching<Item extends ClaimedItem>(
  store: Transaction<StoreTables>,
  claim: LeaseRequest,
  isClaimable: Claimable,
  readItems: ItemReader<Item>,
): Promise<ClaimResult<Item>> {
  const leased = (await setLeases(store, claim, isClaimable)).toSorted(
    (a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1),
  )
  const { now, destination, zone = 'UTC' } = claim
  // Notifications have no caps, and the store counts their attempts without storing each one.
  const isOfLeads = destination === undefined
  const hasCaps = isOfLeads && leased[0]?.has_caps
  const held = hasCaps ? await applyCaps(store, leased, { now, zone }) : new Set<string>()
  const abandoned = leased.filter(({ lost_lease }) => isOfLeads && lost_lease !== null)
  if (abandoned.length > 0) await insertUnknownAttempts(store, abandoned, claim)
  const rows = leased
    .filter(({ id }) => !held.has(id))
    .map(
      ({ id, lead_id, attempts, spared }): ClaimedRow => ({
        ...{ id, lead_id, lease: claim.lease, leasedUntil: claim.leaseUntil },
        ...{ attemptsBefore: attempts, attemptsSpent: attempts - spared },
      }),
    )
  return { items: await readItems(store, rows), heldCount: held.size }
}

/**
 * Leases the oldest due deliveries. The CTE is materialized because PostgreSQL may plan `id in (select … limit n)` as a
 * join that takes more than n rows. The update repeats the conditions, so the claim is correct even without `skip
 * locked`. With a million waiting deliveries, a claim takes 0.2 ms on SQLite and 0.6 ms on PostgreSQL.
 */
function setLeases(store: Kysely<StoreTables>, claim: LeaseRequest, isClaimable: Claimable) {
  const { table, isOwn } = describeOutbox(claim.destination)
  return store
    .with(
      (cte) => cte('due').materialized(),
      (query) =>
        query
          .selectFrom(table)
          .select(['id as due_id', 'next_at as due_at', 'lease as lost_lease'])
          .where('settled_at', 'is', null)
          .where(isOwn)
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
          countIf(eb.and([isAbandoned, eb('spared', '<', maxUncountedAttempts)])),
        ),
      }
    })
    .where('id', 'in', (eb) => eb.selectFrom('due').select('due_id'))
    .where('settled_at', 'is', null)
    .where(isClaimable)
    .returning((eb) => {
      // In a `returning` clause, SQLite does not know the table's alias.
      const due = eb.selectFrom('due').whereRef('due_id', '=', sql.ref('id'))
      return [
        'id',
        'lead_id',
        'attempts',
        'spared',
        due.select('due_at').$asScalar().$notNull().as('due_at'),
        due.select('lost_lease').$asScalar().as('lost_lease'),
        // Tells whether any cap exists. If none exists, the claim is complete after this statement.
        eb.exists(eb.selectFrom('caps').select('caps.id')).as('has_caps'),
      ]
    })
    .execute()
}

/** Records an `unknown` attempt for each expired lease. The attempt's start is an estimate from our own lease. */
async function insertUnknownAttempts(
  store: Transaction<StoreTables>,
  abandoned: Awaited<ReturnType<typeof setLeases>>,
  { now, leaseUntil }: LeaseRequest,
): Promise<void> {
  const durationMs = leaseUntil - now
  const rows = abandoned.map(({ id, due_at: leaseEnd }) => ({
    ...{ id: makeIdAt(now), delivery_id: id, outcome: 'unknown' as const },
    ...{ reason: 'process-ended' as const, http_status: null, detail: null },
    ...{ started_at: leaseEnd - durationMs, duration_ms: durationMs },
  }))
  await countAttempts(store, await insertAttempts(store, rows))
}
