import { sql, type Transaction } from 'kysely'
import {
  type DeliveryStatus,
  isNotAccepted,
  type ManualSettlement,
} from '#domain/delivery/delivery.ts'
import type { UnreadableParts } from '#domain/lead/lead.ts'
import { freeCapPlaces } from '#server/leads/cap-places.ts'
import { reclaimDedupeKeys, transferDedupeKeys } from '#server/leads/dedupe-keys.ts'
import { findListedLeads } from '#server/leads/do-not-contact.ts'
import { enqueueNotifications } from '#server/leads/enqueue-notifications.ts'
import { readPayload } from '#server/leads/lead-payload.ts'
import {
  findLeadStatus,
  inDoubtCondition,
  isHeldByCap,
  noLease,
  statusColumns,
} from '#server/leads/lead-status.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import { countRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { countTowardCaps } from './cap-holds.ts'

export type RetryOutcome =
  /** The delivery is due now, with a new retry schedule; its attempts are kept. */
  | {
      readonly kind: 'due'
      readonly was: DeliveryStatus
      /** True if a cap held the delivery, which the cap may do again. */
      readonly wasHeld?: true
    }
  /** The person has enquired again. Only the newer lead is sent, because sending both would make a duplicate. */
  | { readonly kind: 'overtaken'; readonly by: string }
  /** The delivery is dead because the lead's data could not be read, and still cannot be read. */
  | ({ readonly kind: 'unreadable' } & UnreadableParts)
  /** The person is on the list of people not to contact, so no worker would send the lead. */
  | { readonly kind: 'asked not to be contacted' }
  | DeliveryChangeRefusal

/** Why a lead's delivery cannot be changed. A quarantined lead has no delivery until an operator releases it. */
export type DeliveryChangeRefusal =
  | { readonly kind: 'leased' | 'delivered' | 'quarantined' | 'erased' | 'unknown' }
  /** The lead is a duplicate, and its original has the delivery. */
  | { readonly kind: 'duplicate'; readonly of: string | null }

export type SettleOutcome =
  | { readonly kind: 'settled'; readonly was: DeliveryStatus }
  | { readonly kind: 'rejected' }
  | DeliveryChangeRefusal

type Tx = Transaction<StoreTables>

/** Makes the deliveries of leads due at once, in the caller's transaction. @returns each lead's outcome, by its id */
export async function retryLeads(
  tx: Tx,
  leadIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, RetryOutcome>> {
  const rows = await findDeliveries(tx, leadIds)
  const outcomes = new Map<string, RetryOutcome>(leadIds.map((id) => [id, { kind: 'unknown' }]))
  for (const row of rows) outcomes.set(row.id, decideRetry(row, now))
  const isDue = ({ id }: DeliveryRow) => outcomes.get(id)?.kind === 'due'
  const stopped = await findListedLeads(
    tx,
    rows.filter(isDue).map(({ id }) => id),
  )
  for (const id of stopped) outcomes.set(id, { kind: 'asked not to be contacted' })
  const notAccepted = rows
    .filter((row) => isDue(row) && isNotAccepted(row.settled_as))
    .map(({ id }) => id)
  const countingLeads = await reclaimDedupeKeys(tx, notAccepted)
  for (const id of notAccepted) {
    const countingLead = countingLeads.get(id)
    if (countingLead === undefined) outcomes.set(id, { kind: 'erased' })
    else if (countingLead !== id) outcomes.set(id, { kind: 'overtaken', by: countingLead })
  }
  const dueRows = rows.filter(isDue)
  const changed = await makeAllDue(tx, dueRows, now)
  for (const { id } of dueRows) if (!changed.has(id)) outcomes.set(id, { kind: 'leased' })
  return outcomes
}

/** Reads the deliveries of leads, and the payloads of leads that could not be read before. */
const findDeliveries = (tx: Tx, leadIds: readonly string[]) =>
  tx
    .selectFrom('leads')
    .innerJoin('lead_index', 'lead_index.lead_id', 'leads.id')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select(['leads.id', 'leads.duplicate_of', 'deliveries.settled_as'])
    .select(['deliveries.id as delivery_id', isHeldByCap.as('is_held')])
    .select(statusColumns)
    .select((eb) =>
      eb
        .case()
        .when('deliveries.settled_because', '=', 'unreadable')
        .then(eb.ref('leads.payload'))
        .end()
        .as('unread_payload'),
    )
    .where('leads.id', 'in', leadIds)
    .execute()

type DeliveryRow = Awaited<ReturnType<typeof findDeliveries>>[number]

/** Returns why nobody may change the lead's delivery now, or the delivery's status. */
function findRefusal(
  row: DeliveryRow,
  now: number,
): DeliveryChangeRefusal | { readonly kind: 'changeable'; readonly was: DeliveryStatus } {
  const status = findLeadStatus(row, now)
  switch (status) {
    case 'duplicate':
      return { kind: 'duplicate', of: row.duplicate_of }
    case 'leased':
    case 'delivered':
    case 'erased':
    case 'quarantined':
      return { kind: status }
    default:
      return { kind: 'changeable', was: status }
  }
}

/** Returns `due` unless the lead's own state prevents a retry. The caller also considers the person's other leads. */
function decideRetry(row: DeliveryRow, now: number): RetryOutcome {
  const found = findRefusal(row, now)
  if (found.kind !== 'changeable') return found
  const { unread_payload: unread } = row
  const unreadable = unread === null ? undefined : readPayload(unread).unreadable
  return unreadable === undefined
    ? { kind: 'due', was: found.was, ...(row.is_held && { wasHeld: true }) }
    : { kind: 'unreadable', ...unreadable }
}

/**
 * Restarts the retry schedule. A worker may have claimed or settled a delivery since it was read, so the update repeats
 * the conditions. An expired lease stays, so that the next claim records the dead worker's attempt.
 */
async function makeAllDue(
  tx: Tx,
  dueRows: readonly DeliveryRow[],
  now: number,
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>()
  for (const [settledAs, group] of Map.groupBy(dueRows, (row) => row.settled_as)) {
    const ids = group.map(({ id }) => id)
    const rows = await tx
      .updateTable('deliveries')
      .set((eb) => ({
        settled_as: null,
        settled_at: null,
        settled_because: null,
        next_at: now,
        waits_since: null,
        spared: eb.ref('attempts'),
      }))
      .where('lead_id', 'in', ids)
      .where('lead_erased_at', 'is', null)
      .where('settled_as', 'is not distinct from', settledAs)
      .where(sql<boolean>`(leased_until is null or leased_until <= ${now})`)
      .returning('lead_id')
      .execute()
    for (const { lead_id } of rows) changed.add(lead_id)
  }
  return changed
}

/** Records a delivery's result that an operator learned from the distributor, in the caller's transaction. */
export async function settleDelivery(
  tx: Tx,
  leadId: string,
  as: ManualSettlement,
  now: number,
): Promise<SettleOutcome> {
  const [row] = await findDeliveries(tx, [leadId])
  if (row === undefined) return { kind: 'unknown' }
  const found = findRefusal(row, now)
  if (found.kind !== 'changeable') return found
  if (as === 'rejected' && found.was === as) return { kind: as }
  const changed = await tx
    .updateTable('deliveries')
    .set({
      settled_as: as,
      settled_at: now,
      settled_by_hand_at: now,
      settled_because: null,
      ...noLease,
    })
    .where('lead_id', '=', leadId)
    // If a worker has claimed or settled the delivery since it was read, this statement updates nothing.
    .where('settled_as', 'is not distinct from', row.settled_as)
    .where('leased_until', 'is not distinct from', row.leased_until)
    .where('lead_erased_at', 'is', null)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return settleDelivery(tx, leadId, as, now)
  const wasNotAccepted = isNotAccepted(row.settled_as)
  if (as === 'delivered' && wasNotAccepted) await reclaimDedupeKeys(tx, [leadId])
  if (as === 'rejected' && !wasNotAccepted) await transferDedupeKeys(tx, [leadId])
  if (as === 'delivered') await countTowardCaps(tx, [leadId], now)
  // A dead delivery whose attempt got no answer counts until the operator knows that it was rejected.
  else await freeCapPlaces(tx, [row.delivery_id ?? ''], now)
  const event = as === 'delivered' ? 'accepted' : 'rejected'
  await enqueueNotifications(tx, { event, leadIds: [leadId], at: now })
  return { kind: 'settled', was: found.was }
}

/**
 * After a restore, marks every open delivery as possibly sent, because a backup does not show which leads were sent
 * later. If a marked delivery is sent, it counts as a possible duplicate.
 * @returns the number of marked deliveries, including those that an earlier restore marked
 */
export const markOpenInDoubt = (
  { longQueryDb }: Pick<LeadDatabase, 'longQueryDb'>,
  now: number,
): Promise<number> =>
  runInTransaction(longQueryDb, async (tx) => {
    await tx
      .updateTable('deliveries')
      .set((eb) => ({ restored_at: now, unknown_attempts: eb('unknown_attempts', '+', 1) }))
      .where('settled_at', 'is', null)
      .where('restored_at', 'is', null)
      .execute()
    return countRows(tx.selectFrom('deliveries').where(inDoubtCondition))
  })
