import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { isFinalWithoutAcceptance } from '#domain/delivery/delivery.ts'
import type { NextStep } from '#domain/delivery/next-step.ts'
import { findReason, findSettlementReason, mayHaveArrived } from '#domain/delivery/outcome.ts'
import { claimDedupeKeysAgain, transferDedupeKeys } from '#server/leads/dedupe-keys.ts'
import { assignErrorGroups } from '#server/leads/error-groups.ts'
import type { DatabaseTask } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { isCapped, updateCaps } from './cap-holds.ts'
import { countAttempts } from './delivery-rollups.ts'
import type { SendResult } from './distributor.ts'
import { enqueueNotifications } from './enqueue-notifications.ts'

export interface RecordedAttempt extends SendResult {
  /** A UUID. Recording an attempt twice changes nothing. */
  readonly id: string
  readonly deliveryId: string
  readonly lease: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
  readonly next: NextStep
}

/**
 * How many attempts a delivery may get back. Leads that the distributor refuses individually may look like an outage
 * repeatedly; after this many returns, their attempts count.
 */
export const maxTriesReturned = 8

export type DeliveryRow = Pick<
  Selectable<StoreTables['deliveries']>,
  keyof typeof columnTypes | 'id' | 'lead_id' | 'created_at' | 'lead_erased_at'
> & { readonly is_capped: unknown }

/** The columns that an attempt changes, with their types for {@link updateRows}. */
export const columnTypes = {
  attempts: 'integer',
  next_at: 'bigint',
  lease: 'text',
  leased_until: 'bigint',
  settled_as: 'text',
  settled_at: 'bigint',
  settled_because: 'text',
  spared: 'integer',
  waits_since: 'bigint',
  unknown_attempts: 'integer',
  possible_duplicates: 'integer',
} as const

export const rowColumns = Object.keys(columnTypes) as readonly (keyof typeof columnTypes)[]

export const recordDeliveryAttempts: DatabaseTask<readonly RecordedAttempt[], readonly boolean[]> =
  {
    name: 'recordDeliveryAttempts',
    run: recordAttempts,
  }

/**
 * Writes attempts of different deliveries and their consequences in one transaction of few statements. Recording an
 * attempt twice changes nothing. @returns for each attempt, whether its lease was still valid
 */
export function recordAttempts(
  db: Kysely<StoreTables>,
  attempts: readonly RecordedAttempt[],
): Promise<readonly boolean[]> {
  return db.transaction().execute(async (store) => {
    const ids = attempts.map(({ deliveryId }) => deliveryId)
    const rows = await store
      .selectFrom('deliveries')
      .select(['id', 'lead_id', 'created_at', 'lead_erased_at', ...rowColumns])
      .select(isCapped.as('is_capped'))
      .where('id', 'in', ids)
      // A fixed order prevents a deadlock between two processes.
      .orderBy('id')
      .forUpdate()
      .execute()
    const deliveries = new Map(rows.map((row) => [row.id, row]))
    // A delivery is missing if it was removed during the attempt.
    const existing = attempts.filter(({ deliveryId }) => deliveries.has(deliveryId))
    const added =
      existing.length > 0 ? await insertAttempts(store, existing, deliveries) : new Set()

    const changed: DeliveryRow[] = []
    const results = attempts.map((attempt) => {
      const delivery = deliveries.get(attempt.deliveryId)
      if (delivery === undefined) return false
      if (!added.has(attempt.id)) return true
      changed.push(applyAttempt(delivery, attempt))
      return delivery.lease === attempt.lease
    })
    await updateRows(store, 'deliveries', columnTypes, changed)
    await moveDedupeKeys(store, deliveries, changed)
    await announce(store, deliveries, changed)
    const counted = existing
      .filter(({ id }) => added.has(id))
      .map(({ outcome, startedAt, durationMs }) => ({
        outcome: outcome.name,
        startedAt,
        durationMs,
      }))
    await assignErrorGroups(
      store,
      changed.filter((row) => row.settled_as !== 'delivered').map(findLeadId),
    )
    const capped = changed.filter(({ is_capped }) => is_capped)
    if (capped.length > 0) await updateCaps(store, findCapChanges(capped))
    await countAttempts(store, counted)
    return results
  })
}

/** Resolves with the ids of the attempts that were not recorded before. */
async function insertAttempts(
  store: Kysely<StoreTables>,
  attempts: readonly RecordedAttempt[],
  deliveries: ReadonlyMap<string, DeliveryRow>,
): Promise<ReadonlySet<string>> {
  const rows = await store
    .insertInto('attempts')
    .values(
      attempts.map(({ id, deliveryId, startedAt, durationMs, outcome, response = null }) => ({
        id,
        delivery_id: deliveryId,
        started_at: startedAt,
        duration_ms: durationMs,
        outcome: outcome.name,
        http_status: 'httpStatus' in outcome ? (outcome.httpStatus ?? null) : null,
        reason: findReason(outcome) ?? null,
        error_code: 'code' in outcome ? (outcome.code ?? null) : null,
        retry_after_ms: 'retryAfterMs' in outcome ? (outcome.retryAfterMs ?? null) : null,
        // The response may quote a person who was erased during the attempt.
        detail: deliveries.get(deliveryId)?.lead_erased_at ? null : response,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export function applyAttempt(delivery: DeliveryRow, attempt: RecordedAttempt): DeliveryRow {
  const { outcome, next, lease } = attempt
  const maybeArrived = outcome.name !== 'unreachable' && outcome.name !== 'not-made'
  const counted = {
    ...delivery,
    attempts: delivery.attempts + 1,
    unknown_attempts: delivery.unknown_attempts + (mayHaveArrived(outcome) ? 1 : 0),
    possible_duplicates:
      delivery.possible_duplicates + (maybeArrived && delivery.unknown_attempts > 0 ? 1 : 0),
  }
  const isNewFact =
    'settledAs' in next && next.settledAs === 'delivered' && delivery.settled_as !== 'delivered'
  return delivery.lease === lease || isNewFact
    ? { ...counted, ...findNextState(counted, attempt) }
    : counted
}

/** Notifies webhooks and affiliates of leads that the distributor has just accepted or rejected. */
async function announce(
  store: Transaction<StoreTables>,
  before: ReadonlyMap<string, DeliveryRow>,
  after: readonly DeliveryRow[],
): Promise<void> {
  for (const [settledAs, event] of announcedSettlements) {
    const settled = after.filter(
      (row) =>
        row.settled_as === settledAs &&
        before.get(row.id)?.settled_as !== settledAs &&
        row.lead_erased_at === null,
    )
    const reasons = new Map(settled.map((row) => [row.lead_id, row.settled_because]))
    const at = Math.max(...settled.map(({ settled_at }) => settled_at ?? 0))
    await enqueueNotifications(store, { event, leadIds: settled.map(findLeadId), at, reasons })
  }
}

const announcedSettlements = [
  ['delivered', 'accepted'],
  ['rejected', 'rejected'],
] as const

/**
 * A rejected or dead lead does not block a repeated enquiry, so its dedupe keys move to the repeat. A lead gets its
 * keys back if a late answer shows that the distributor accepted the lead.
 */
async function moveDedupeKeys(
  store: Transaction<StoreTables>,
  before: ReadonlyMap<string, DeliveryRow>,
  after: readonly DeliveryRow[],
): Promise<void> {
  const wasNotAccepted = ({ id }: DeliveryRow) =>
    isFinalWithoutAcceptance(before.get(id)?.settled_as)
  const ended = after.filter(
    (row) => isFinalWithoutAcceptance(row.settled_as) && !wasNotAccepted(row),
  )
  const newlyDelivered = after.filter(
    (row) => row.settled_as === 'delivered' && wasNotAccepted(row),
  )
  await transferDedupeKeys(store, ended.map(findLeadId))
  await claimDedupeKeysAgain(store, newlyDelivered.map(findLeadId))
}

/** A lead that may have arrived in an earlier attempt keeps its place, because the distributor may have accepted it. */
function findCapChanges(capped: readonly DeliveryRow[]) {
  const ended = capped.filter(({ settled_as }) => isFinalWithoutAcceptance(settled_as))
  const idOf = ({ id }: DeliveryRow) => id
  return {
    freed: ended.filter(({ unknown_attempts }) => unknown_attempts === 0).map(idOf),
    capReached: ended.filter(({ settled_because }) => settled_because === 'cap').map(idOf),
    now: Math.max(...ended.map(({ settled_at }) => settled_at ?? 0)),
  }
}

const findLeadId = ({ lead_id }: DeliveryRow): string => lead_id

/** A settled delivery has no lease, so the lease alone decides who may change the row. */
const noLease = { lease: null, leased_until: null, waits_since: null }

function findNextState(
  delivery: DeliveryRow,
  { next, outcome, startedAt, durationMs }: RecordedAttempt,
): Partial<DeliveryRow> {
  if ('settledAs' in next) {
    const settled_because = findSettlementReason(outcome)
    return { ...noLease, settled_as: next.settledAs, settled_at: next.at, settled_because }
  }
  if ('dueAgain' in next) {
    const isGivenBack = delivery.spared < maxTriesReturned
    const uncountedAttempts = delivery.spared + (isGivenBack ? 1 : 0)
    return { ...noLease, next_at: delivery.created_at, spared: uncountedAttempts }
  }
  const backoffSince = next.setBy === 'schedule' ? startedAt + durationMs : null
  const uncountedAttempts = delivery.spared + (next.spends === 'nothing' ? 1 : 0)
  const retried = { next_at: next.retryAt, waits_since: backoffSince, spared: uncountedAttempts }
  return { ...noLease, ...retried }
}

/** Updates many rows in one statement. PostgreSQL reads untyped values as text, so they are cast. */
export async function updateRows<Column extends string>(
  store: Kysely<StoreTables>,
  table: keyof StoreTables,
  types: Readonly<Record<Column, 'text' | 'integer' | 'bigint'>>,
  rows: readonly Readonly<Record<NoInfer<Column> | 'id', unknown>>[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(types) as Column[]
  const values = rows.map(
    (row) => sql`(${sql.join([row.id, ...columns.map((column) => row[column])])})`,
  )
  const changes = columns.map(
    (column) =>
      sql`${sql.ref(column)} = cast(changed.${sql.ref(column)} as ${sql.raw(types[column])})`,
  )
  await sql`
    with changed (id, ${sql.join(columns.map((column) => sql.ref(column)))})
      as (values ${sql.join(values)})
    update ${sql.table(table)} set ${sql.join(changes)}
    from changed where ${sql.table(table)}.id = changed.id`.execute(store)
}
