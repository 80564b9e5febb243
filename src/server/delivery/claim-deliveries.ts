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
import { minute } from '#domain/durations.ts'
import type { Lead, UnreadableLead } from '#domain/lead/lead.ts'
import type { Destination } from '#domain/notifications/notification.ts'
import { freeCapPlaces } from '#server/leads/cap-places.ts'
import { transferDedupeKeys } from '#server/leads/dedupe-keys.ts'
import { findListedLeads, keepSentLeads } from '#server/leads/do-not-contact.ts'
import { noLease } from '#server/leads/lead-status.ts'
import { selectSendableLeads, toLead } from '#server/leads/read-leads.ts'
import type { DatabaseTask } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import { applyCaps } from './cap-holds.ts'
import { countAttempts } from './delivery-counts.ts'
import { insertAttempts, maxUncountedAttempts } from './record-attempts.ts'

/** A queue with a breaker of its own: the leads for the distributor, or the notifications for one destination. */
export interface Outbox {
  /** The queue's table, which queries call `deliveries`. All queues have the columns that shared queries use. */
  readonly table: 'deliveries'
  /** The breaker's table, which queries call `delivery_gate`. */
  readonly breakerTable: 'delivery_gate'
  /** The condition for the breaker's row. */
  readonly isOwnBreaker: Expression<SqlBool>
  /** The condition for the rows of this outbox. */
  readonly isOwn: (eb: ExpressionBuilder<StoreTables, 'deliveries'>) => Expression<SqlBool>
}

/** @param destination the webhook or affiliate; undefined for the leads that the distributor receives */
export const describeOutbox = (destination: Destination | undefined): Outbox =>
  destination === undefined ? leadOutbox : makeNotificationOutbox(destination)

const leadOutbox: Outbox = {
  table: 'deliveries',
  breakerTable: 'delivery_gate',
  isOwnBreaker: sql<boolean>`delivery_gate.id = 1`,
  isOwn: () => sql<boolean>`1 = 1`,
}

export const formatDestinationKey = ({ kind, id }: Destination): string => `${kind}/${id}`

/** Makes the outbox of one destination's notifications, with aliases that let one query serve all outboxes. */
const makeNotificationOutbox = (destination: Destination): Outbox => ({
  table: 'notifications as deliveries' as 'deliveries',
  breakerTable: 'notification_gates as delivery_gate' as 'delivery_gate',
  isOwnBreaker: sql<boolean>`delivery_gate.id = ${formatDestinationKey(destination)}`,
  isOwn: () =>
    sql<boolean>`(deliveries.kind = ${destination.kind} and deliveries.destination = ${destination.id})`,
})

/** Claims due deliveries and reads their leads in one transaction, so that a failed read undoes the claim. */
export const claimDueDeliveries: DatabaseTask<LeaseRequest, ClaimResult<ClaimedDelivery>> = {
  name: 'claimDueDeliveries',
  run: (db, claim) =>
    db.transaction().execute((tx) => claimItems(tx, claim, readClaimedDeliveries)),
}

export interface ClaimResult<Item extends ClaimedItem> {
  readonly items: readonly Item[]
  /** The number of due deliveries that were not claimed: caps hold them, or the people asked not to be contacted. */
  readonly heldCount: number
}

/** Reads the lead or the notification of each claimed row. */
export type ItemReader<Item extends ClaimedItem> = (
  tx: Transaction<StoreTables>,
  rows: readonly ClaimedRow[],
) => Promise<readonly Item[]>

export const readClaimedDeliveries: ItemReader<ClaimedDelivery> = async (tx, rows) => {
  const leads = await readSendableLeads(tx, rows)
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

export interface ClaimedItem {
  readonly id: string
  readonly lead: Pick<Lead, 'id'> & Partial<Pick<UnreadableLead, 'unreadable'>>
  /** Only the worker with the current lease may settle the item; another worker's claim replaces the lease. */
  readonly lease: string
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
  /** The only items to claim, due or not, unless another worker has leased them; undefined for all due items. */
  readonly ids?: readonly string[]
  /** The webhook or affiliate whose notifications are claimed; undefined for deliveries to the distributor. */
  readonly destination?: Destination | undefined
}

/**
 * Claims due items, the earliest due first, or items by their ids, due or not. The claim sets `next_at` to the lease's
 * end, so that the items become due again if the worker dies. If a worker has died and may have sent an item, the
 * claim's transaction records an `unknown` attempt. The transaction also settles the leads of people who asked not to be
 * contacted: a lead that it returns is of nobody who was listed before.
 */
export async function claimItems<Item extends ClaimedItem>(
  tx: Transaction<StoreTables>,
  claim: LeaseRequest,
  readItems: ItemReader<Item>,
): Promise<ClaimResult<Item>> {
  const leased = (await setLeases(tx, claim)).toSorted(
    (a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1),
  )
  const { now, lease, leaseUntil, destination, zone = 'UTC' } = claim
  // Notifications have no caps, and the store counts their attempts without storing each one.
  const isOfLeads = destination === undefined
  const isListUsed = isOfLeads && leased[0]?.has_listed
  const stopped = isListUsed ? await findStopped(tx, leased) : []
  await settleStopped(tx, stopped, now)
  const sendable = leased.filter((row) => !stopped.includes(row))
  const hasCaps = isOfLeads && sendable[0]?.has_caps
  const held = hasCaps ? await applyCaps(tx, sendable, { now, zone }) : new Set<string>()
  if (isOfLeads) await insertUnknownAttempts(tx, leased, claim)
  await keepSentLeads(tx, stopped.map(findLeadId), now)
  const rows = sendable
    .filter(({ id }) => !held.has(id))
    .map(({ id, lead_id, attempts, spared }) => ({
      id,
      lead_id,
      lease,
      leasedUntil: leaseUntil,
      attemptsBefore: attempts,
      attemptsSpent: attempts - spared,
    }))
  return { items: await readItems(tx, rows), heldCount: held.size + stopped.length }
}

const findLeadId = ({ lead_id }: { readonly lead_id: string }): string => lead_id

async function findStopped<Row extends { readonly lead_id: string }>(
  tx: Transaction<StoreTables>,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const stopped = await findListedLeads(tx, rows.map(findLeadId))
  return rows.filter(({ lead_id }) => stopped.has(lead_id))
}

/**
 * Settles leased deliveries of people who asked not to be contacted. They no longer count toward caps, unless the
 * distributor may have the lead, and no longer make a repeated enquiry a duplicate.
 */
async function settleStopped(
  tx: Transaction<StoreTables>,
  stopped: readonly { readonly id: string; readonly lead_id: string }[],
  now: number,
): Promise<void> {
  if (stopped.length === 0) return
  const settled = await tx
    .updateTable('deliveries')
    .set({
      settled_as: 'do-not-contact',
      settled_at: now,
      settled_because: null,
      ...noLease,
    })
    .where(
      'id',
      'in',
      stopped.map(({ id }) => id),
    )
    .returning(['id', 'unknown_attempts'])
    .execute()
  await transferDedupeKeys(tx, stopped.map(findLeadId))
  const unsent = settled.filter(({ unknown_attempts }) => unknown_attempts === 0)
  await freeCapPlaces(
    tx,
    unsent.map(({ id }) => id),
    now,
  )
}

/**
 * Settles the open deliveries of those leads whose people asked not to be contacted, due or not, except deliveries that
 * a worker is sending.
 * @returns how many deliveries were settled, and how many a worker is sending or has locked
 */
export async function stopDeliveries(
  tx: Transaction<StoreTables>,
  leadIds: readonly string[],
  now: number,
): Promise<{ readonly stopped: number; readonly sending: number }> {
  const open = await tx
    .selectFrom('deliveries')
    .select(['id', 'lead_id'])
    .where('lead_id', 'in', leadIds)
    .where('settled_at', 'is', null)
    .where('lead_erased_at', 'is', null)
    .execute()
  const concerned = open.length === 0 ? [] : await findStopped(tx, open)
  if (concerned.length === 0) return { stopped: 0, sending: 0 }
  const ids = concerned.map(({ id }) => id)
  const lease = randomUUIDv7()
  const claim = { ids, now, leaseUntil: now + minute, lease, limit: ids.length }
  const leased = await setLeases(tx, claim)
  await settleStopped(tx, leased, now)
  await insertUnknownAttempts(tx, leased, claim)
  return { stopped: leased.length, sending: ids.length - leased.length }
}

/**
 * Leases the oldest due deliveries. The CTE is materialized because PostgreSQL may plan `id in (select … limit n)` as a
 * join that takes more than n rows. The update repeats the conditions, so the claim is correct even without `skip
 * locked`. With a million waiting deliveries, a claim takes 0.2 ms on SQLite and 0.6 ms on PostgreSQL.
 */
function setLeases(db: Kysely<StoreTables>, claim: LeaseRequest) {
  const { table, isOwn } = describeOutbox(claim.destination)
  const isClaimable = (eb: ExpressionBuilder<StoreTables, 'deliveries'>) => {
    const isDue = eb('next_at', '<=', claim.now)
    return claim.ids === undefined
      ? isDue
      : eb.and([eb('id', 'in', claim.ids), eb.or([eb('lease', 'is', null), isDue])])
  }
  return db
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
        // Tell whether there are caps or people not to contact. If not, the claim is complete after this statement.
        eb.exists(eb.selectFrom('caps').select('caps.id')).as('has_caps'),
        eb.exists(eb.selectFrom('do_not_contact').select('key')).as('has_listed'),
      ]
    })
    .execute()
}

/** Records an `unknown` attempt for each expired lease. The attempt's start is an estimate from our own lease. */
async function insertUnknownAttempts(
  tx: Transaction<StoreTables>,
  leased: Awaited<ReturnType<typeof setLeases>>,
  { now, leaseUntil }: LeaseRequest,
): Promise<void> {
  const abandoned = leased.filter(({ lost_lease }) => lost_lease !== null)
  if (abandoned.length === 0) return
  const durationMs = leaseUntil - now
  const rows = abandoned.map(({ id, due_at: leaseEnd }) => ({
    id: makeIdAt(now),
    delivery_id: id,
    outcome: 'unknown' as const,
    reason: 'process-ended' as const,
    http_status: null,
    detail: null,
    started_at: leaseEnd - durationMs,
    duration_ms: durationMs,
  }))
  await countAttempts(tx, await insertAttempts(tx, rows))
}
