import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import { type DeliveryNextStep, isNotAccepted } from '#domain/delivery/delivery.ts'
import {
  findAttemptReason,
  findSettlementReason,
  mayHaveArrived,
} from '#domain/delivery/outcome.ts'
import { reclaimDedupeKeys, transferDedupeKeys } from '#server/leads/dedupe-keys.ts'
import { enqueueNotifications } from '#server/leads/enqueue-notifications.ts'
import { assignErrorGroups } from '#server/leads/error-groups.ts'
import { noLease } from '#server/leads/lead-status.ts'
import type { DatabaseTask } from '#server/platform/database/lead-database.ts'
import { updateManyRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { countTowardCaps, isCountedByCap, updateCapsAfterAttempts } from './cap-holds.ts'
import { countAttempts } from './delivery-counts.ts'
import type { SendResult } from './distributor-client.ts'

export interface RecordedAttempt extends SendResult {
  /** A UUID. Recording an attempt with the same id again changes nothing. */
  readonly id: string
  readonly deliveryId: string
  readonly lease: string
  readonly startedAt: number
  readonly durationMs: number
  readonly next: DeliveryNextStep
}

/**
 * Once this many attempts of a delivery are uncounted, an attempt counts even if a stop, a crash or an outage ended it,
 * because a bad lead can look like an outage again and again. Repeated probes stay uncounted without a limit.
 */
export const maxUncountedAttempts = 8

type DeliveryRow = Pick<
  Selectable<StoreTables['deliveries']>,
  keyof typeof deliveryColumnTypes | 'id' | 'lead_id' | 'created_at' | 'lead_erased_at'
> & { readonly is_capped: unknown }

export const deliveryColumnTypes = {
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

export const deliveryColumns = Object.keys(
  deliveryColumnTypes,
) as readonly (keyof typeof deliveryColumnTypes)[]

/** Stores attempts, each with the new state of its delivery. Storing an attempt again changes nothing. */
export const recordDeliveryAttempts: RecordAttemptsTask = {
  name: 'recordDeliveryAttempts',
  run: (db, attempts) => db.transaction().execute((tx) => recordAttempts(tx, attempts)),
}

/** @returns for each attempt, whether its lease was still valid */
export type RecordAttemptsTask = DatabaseTask<readonly RecordedAttempt[], readonly boolean[]>

async function recordAttempts(
  tx: Transaction<StoreTables>,
  attempts: readonly RecordedAttempt[],
): Promise<readonly boolean[]> {
  const ids = attempts.map(({ deliveryId }) => deliveryId)
  const rows = await tx
    .selectFrom('deliveries')
    .select(['id', 'lead_id', 'created_at', 'lead_erased_at', ...deliveryColumns])
    .select(isCountedByCap.as('is_capped'))
    .where('id', 'in', ids)
    // A fixed order prevents a deadlock between two processes.
    .orderBy('id')
    .forUpdate()
    .execute()
  const deliveries = new Map(rows.map((row) => [row.id, row]))
  // A delivery is missing if it was removed during the attempt.
  const existing = attempts.filter(({ deliveryId }) => deliveries.has(deliveryId))
  const added = await insertAttempts(
    tx,
    existing.map((attempt) => toAttemptRow(attempt, deliveries.get(attempt.deliveryId))),
  )
  const addedIds = new Set(added.map(({ id }) => id))
  const changed: DeliveryRow[] = []
  const results = attempts.map((attempt) => {
    const delivery = deliveries.get(attempt.deliveryId)
    if (delivery === undefined) return false
    if (!addedIds.has(attempt.id)) return true
    changed.push(applyAttempt(delivery, attempt))
    return delivery.lease === attempt.lease
  })
  await updateManyRows(tx, 'deliveries', deliveryColumnTypes, changed)
  await moveDedupeKeys(tx, deliveries, changed)
  await notifyOfSettlements(tx, deliveries, changed)
  await assignErrorGroups(
    tx,
    changed.filter((row) => row.settled_as !== 'delivered').map(findLeadId),
  )
  const late = changed.filter((row) => isLateAcceptance(deliveries.get(row.id), row))
  if (late.length > 0) {
    const lastAt = Math.max(...late.map(({ settled_at }) => settled_at ?? 0))
    await countTowardCaps(tx, late.map(findLeadId), lastAt)
  }
  const capped = changed.filter(({ is_capped }) => is_capped)
  if (capped.length > 0) await updateCapsAfterAttempts(tx, findCapChanges(capped))
  await countAttempts(tx, added)
  return results
}

/** Stores attempts. @returns the attempts that were not stored before */
export async function insertAttempts(
  db: Kysely<StoreTables>,
  rows: readonly Insertable<StoreTables['attempts']>[],
) {
  if (rows.length === 0) return []
  return db
    .insertInto('attempts')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'outcome', 'started_at as startedAt', 'duration_ms as durationMs'])
    .execute()
}

const toAttemptRow = (
  { id, deliveryId, startedAt, durationMs, outcome, response }: RecordedAttempt,
  delivery: DeliveryRow | undefined,
) => ({
  id,
  delivery_id: deliveryId,
  started_at: startedAt,
  duration_ms: durationMs,
  outcome: outcome.name,
  http_status: 'httpStatus' in outcome ? (outcome.httpStatus ?? null) : null,
  reason: findAttemptReason(outcome) ?? null,
  error_code: 'code' in outcome ? (outcome.code ?? null) : null,
  retry_after_ms: 'retryAfterMs' in outcome ? (outcome.retryAfterMs ?? null) : null,
  // The response may quote a person who was erased during the attempt.
  detail: delivery?.lead_erased_at ? null : (response ?? null),
})

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
  const isNewlyAccepted =
    'settledAs' in next && next.settledAs === 'delivered' && delivery.settled_as !== 'delivered'
  return delivery.lease === lease || isNewlyAccepted
    ? { ...counted, ...findNextState(counted, attempt) }
    : counted
}

async function notifyOfSettlements(
  tx: Transaction<StoreTables>,
  before: ReadonlyMap<string, DeliveryRow>,
  after: readonly DeliveryRow[],
): Promise<void> {
  for (const [settledAs, event] of settlementEvents) {
    const settled = after.filter(
      (row) =>
        row.settled_as === settledAs &&
        before.get(row.id)?.settled_as !== settledAs &&
        row.lead_erased_at === null,
    )
    const reasons = new Map(settled.map((row) => [row.lead_id, row.settled_because]))
    const at = Math.max(...settled.map(({ settled_at }) => settled_at ?? 0))
    await enqueueNotifications(tx, { event, leadIds: settled.map(findLeadId), at, reasons })
  }
}

const settlementEvents = [
  ['delivered', 'accepted'],
  ['rejected', 'rejected'],
] as const

/**
 * A rejected or dead lead must not block a repeated enquiry, so its dedupe keys move to this enquiry. The lead gets its
 * keys back if a late answer shows that the distributor has accepted it.
 */
async function moveDedupeKeys(
  tx: Transaction<StoreTables>,
  before: ReadonlyMap<string, DeliveryRow>,
  after: readonly DeliveryRow[],
): Promise<void> {
  const wasNotAccepted = ({ id }: DeliveryRow) => isNotAccepted(before.get(id)?.settled_as)
  const ended = after.filter((row) => isNotAccepted(row.settled_as) && !wasNotAccepted(row))
  const newlyDelivered = after.filter(
    (row) => row.settled_as === 'delivered' && wasNotAccepted(row),
  )
  await transferDedupeKeys(tx, ended.map(findLeadId))
  await reclaimDedupeKeys(tx, newlyDelivered.map(findLeadId))
}

/** Whether the distributor accepted a delivery that had been settled without an acceptance, and so had left its caps. */
const isLateAcceptance = (before: DeliveryRow | undefined, after: DeliveryRow): boolean =>
  after.settled_as === 'delivered' &&
  before?.settled_as !== 'delivered' &&
  before?.settled_as !== null

/** A lead whose earlier attempt has an unknown outcome still counts toward caps: it may have been accepted. */
function findCapChanges(capped: readonly DeliveryRow[]) {
  const ended = capped.filter(({ settled_as }) => isNotAccepted(settled_as))
  const idOf = ({ id }: DeliveryRow) => id
  return {
    notAccepted: ended.filter(({ unknown_attempts }) => unknown_attempts === 0).map(idOf),
    capReached: ended.filter(({ settled_because }) => settled_because === 'cap').map(idOf),
    now: Math.max(...ended.map(({ settled_at }) => settled_at ?? 0)),
  }
}

const findLeadId = ({ lead_id }: DeliveryRow): string => lead_id

function findNextState(
  delivery: DeliveryRow,
  { next, outcome, startedAt, durationMs }: RecordedAttempt,
): Partial<DeliveryRow> {
  if ('settledAs' in next) {
    const settled_because = findSettlementReason(outcome)
    return { ...noLease, settled_as: next.settledAs, settled_at: next.at, settled_because }
  }
  if ('dueAgain' in next) {
    const spared = delivery.spared + (delivery.spared < maxUncountedAttempts ? 1 : 0)
    return { ...noLease, next_at: delivery.created_at, spared }
  }
  return {
    ...noLease,
    next_at: next.retryAt,
    waits_since: next.setBy === 'schedule' ? startedAt + durationMs : null,
    spared: delivery.spared + (next.spends === 'nothing' ? 1 : 0),
  }
}
