import { type Kysely, sql, type Transaction } from 'kysely'
import { type DeliveryStatus, isRejectedOrDead } from '#domain/delivery/delivery.ts'
import type { UnreadableParts } from '#domain/lead/lead.ts'
import { reclaimDedupeKeys } from '#server/leads/dedupe-keys.ts'
import { readPayload } from '#server/leads/lead-payload.ts'
import { findLeadStatus, statusColumns } from '#server/leads/lead-status.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

export type RetryOutcome =
  /** The delivery is due now, with a new retry schedule; its attempts are kept. */
  | { readonly kind: 'due'; readonly was: DeliveryStatus }
  /** The person has enquired again. Only the newer lead is sent, because sending both would make a duplicate. */
  | { readonly kind: 'overtaken'; readonly by: string }
  /** The delivery is dead because the lead's data could not be read, and still cannot be read. */
  | ({ readonly kind: 'unreadable' } & UnreadableParts)
  | DeliveryChangeRefusal

/** Why a lead's delivery cannot be changed. A quarantined lead has no delivery until an operator releases it. */
export type DeliveryChangeRefusal =
  | { readonly kind: 'leased' | 'delivered' | 'quarantined' | 'erased' | 'unknown' }
  /** The lead is a duplicate, and its original has the delivery. */
  | { readonly kind: 'duplicate'; readonly of: string | null }

type Store = Transaction<StoreTables>

/** Makes the deliveries of leads due at once, in the caller's transaction. @returns each lead's outcome, by its id */
export async function retryLeads(
  store: Store,
  leadIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, RetryOutcome>> {
  const rows = await findRetryRows(store, leadIds)
  const outcomes = new Map<string, RetryOutcome>(leadIds.map((id) => [id, { kind: 'unknown' }]))
  for (const row of rows) outcomes.set(row.id, decideRetry(row, now))
  const isDue = ({ id }: RetryRow) => outcomes.get(id)?.kind === 'due'
  const notAccepted = rows
    .filter((row) => isDue(row) && isRejectedOrDead(row.settled_as))
    .map(({ id }) => id)
  const countingLeads = await reclaimDedupeKeys(store, notAccepted)
  for (const id of notAccepted) {
    const countingLead = countingLeads.get(id)
    if (countingLead === undefined) outcomes.set(id, { kind: 'erased' })
    else if (countingLead !== id) outcomes.set(id, { kind: 'overtaken', by: countingLead })
  }
  const dueRows = rows.filter(isDue)
  const changed = await makeAllDue(store, dueRows, now)
  for (const { id } of dueRows) if (!changed.has(id)) outcomes.set(id, { kind: 'leased' })
  return outcomes
}

/** Reads the data that a retry depends on, including the payloads of leads that could not be read before. */
const findRetryRows = (store: Kysely<StoreTables>, leadIds: readonly string[]) =>
  store
    .selectFrom('leads')
    .innerJoin('lead_index', 'lead_index.lead_id', 'leads.id')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .select(['leads.id', 'leads.duplicate_of'])
    .select(statusColumns)
    .select('deliveries.settled_as')
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

type RetryRow = Awaited<ReturnType<typeof findRetryRows>>[number]

/** Returns `due` unless the lead's own state prevents a retry. The caller also considers the person's other leads. */
function decideRetry(row: RetryRow, now: number): RetryOutcome {
  const status = findLeadStatus(row, now)
  switch (status) {
    case 'duplicate':
      return { kind: 'duplicate', of: row.duplicate_of }
    case 'leased':
    case 'delivered':
    case 'erased':
    case 'quarantined':
      return { kind: status }
    default: {
      const { unread_payload: unread } = row
      const unreadable = unread === null ? undefined : readPayload(unread).unreadable
      return unreadable === undefined
        ? { kind: 'due', was: status }
        : { kind: 'unreadable', ...unreadable }
    }
  }
}

/** A worker may have claimed or settled a delivery since it was read, so the update repeats the conditions. */
async function makeAllDue(
  store: Store,
  dueRows: readonly RetryRow[],
  now: number,
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>()
  for (const [settledAs, group] of Map.groupBy(dueRows, (row) => row.settled_as)) {
    const ids = group.map(({ id }) => id)
    const rows = await makeDue(store, now)
      .where('lead_id', 'in', ids)
      .where('settled_as', 'is not distinct from', settledAs)
      .where(sql<boolean>`(leased_until is null or leased_until <= ${now})`)
      .returning('lead_id')
      .execute()
    for (const { lead_id } of rows) changed.add(lead_id)
  }
  return changed
}

/** Restarts the retry schedule. An expired lease stays, so that the next claim records the dead worker's attempt. */
const makeDue = (db: Kysely<StoreTables>, now: number) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({
      settled_as: null,
      settled_at: null,
      settled_because: null,
      next_at: now,
      waits_since: null,
      spared: eb.ref('attempts'),
    }))
    .where('lead_erased_at', 'is', null)
