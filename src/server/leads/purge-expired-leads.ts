import { type Kysely, sql, type Transaction } from 'kysely'
import { countBy } from '#domain/job/job-lead-outcome.ts'
import type { RetentionLimits } from '#domain/lead/retention.ts'
import { countRows } from '#server/platform/database/count-rows.ts'
import type { DatabaseTask, LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { eraseLeads } from './erase-person.ts'
import type { LeadCursor } from './find-leads.ts'

/** How a lead's delivery ended; `not owed` if the lead never had a delivery. */
export const finalDeliveryStatuses = ['delivered', 'rejected', 'dead', 'not owed'] as const

export interface ExpiredCounts {
  /** Leads whose answers would be erased, by how their delivery ended. */
  readonly leads: Readonly<Record<(typeof finalDeliveryStatuses)[number], number>>
  /** Expired leads with an open delivery, which stay until the delivery is settled. */
  readonly stillOwed: number
  readonly consents: number
}

interface PurgeOrder {
  readonly ids: readonly string[]
  readonly limits: RetentionLimits
  /** Epoch milliseconds. */
  readonly now: number
}

/** The purge's result for each lead that it changed. */
type Purged = ReadonlyMap<string, 'expired' | 'proof removed' | 'expired, proof removed'>

const selectLeadsBefore = (db: Kysely<StoreTables>, before: number) =>
  db
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .where('leads.received_at', '<', before)

const hasNoOpenDelivery = sql<boolean>`(deliveries.id is null or deliveries.settled_as is not null)`

/** Counts the leads that a purge would remove, without removing them. */
export async function countExpired(
  db: Kysely<StoreTables>,
  { leadsBefore, consentsBefore }: RetentionLimits,
): Promise<ExpiredCounts> {
  const rows = await selectLeadsBefore(db, leadsBefore)
    .where('leads.erased_at', 'is', null)
    .select([
      sql<string>`case when deliveries.id is null then 'not owed' else coalesce(settled_as, 'owed') end`.as(
        'kind',
      ),
      sql<number>`count(*)`.as('n'),
    ])
    .groupBy('kind')
    .execute()
  const count = (kind: string): number => rows.find((row) => row.kind === kind)?.n ?? 0
  const consents = selectLeadsBefore(db, consentsBefore)
    .innerJoin('consents', 'consents.lead_id', 'leads.id')
    .where((eb) => eb.or([eb('leads.erased_at', 'is not', null), hasNoOpenDelivery]))
  return {
    leads: Object.fromEntries(
      finalDeliveryStatuses.map((kind) => [kind, count(kind)]),
    ) as ExpiredCounts['leads'],
    stillOwed: count('owed'),
    consents: await countRows(consents),
  }
}

/** The most rows read by one search. SQLite runs one read at a time, and a search takes 2 ms. */
const scanBatchSize = 500

/**
 * Finds the oldest expired leads after a given lead. A search costs the same however many leads there are.
 * @returns `end` is the last lead that the search read; undefined if there are no more
 */
export async function findExpiredLeads(
  db: Kysely<StoreTables>,
  { leadsBefore, consentsBefore }: RetentionLimits,
  after: LeadCursor | undefined,
) {
  const rows = await selectLeadsBefore(db, Math.max(leadsBefore, consentsBefore))
    .leftJoin('consents', 'consents.lead_id', 'leads.id')
    .select(['leads.id', 'leads.received_at'])
    .select(
      sql<number>`case when
        (leads.received_at < ${leadsBefore} and leads.erased_at is null and ${hasNoOpenDelivery})
        or (leads.received_at < ${consentsBefore} and leads.erased_at is not null
          and consents.lead_id is not null)
        then 1 else 0 end`.as('is_expired'),
    )
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('leads.received_at', 'leads.id'),
          '>',
          tuple(after?.receivedAt ?? 0, after?.id ?? ''),
        ),
      ),
    )
    .orderBy('leads.received_at')
    .orderBy('leads.id')
    .limit(scanBatchSize)
    .execute()
  const last = rows.at(-1)
  return {
    ids: rows.filter(({ is_expired }) => is_expired === 1).map(({ id }) => id),
    end: last && { receivedAt: last.received_at, id: last.id },
  }
}

/**
 * Erases the answers of leads that are still expired, and removes proofs of consent after their own retention period,
 * in the caller's transaction. Leads that another process has locked are skipped.
 */
export async function purgeLeads(
  store: Transaction<StoreTables>,
  { ids, limits: { leadsBefore, consentsBefore }, now }: PurgeOrder,
): Promise<Purged> {
  const locked = await store
    .selectFrom('leads')
    .select(['id', 'area', 'payload', 'received_at', 'erased_at'])
    .where('id', 'in', ids)
    .where('received_at', '<', Math.max(leadsBefore, consentsBefore))
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  const unerased = locked.filter((lead) => lead.erased_at === null)
  const open = await lockOpenDeliveries(
    store,
    unerased.map(({ id }) => id),
  )
  const expired = unerased.filter(
    ({ id, received_at }) => received_at < leadsBefore && !open.has(id),
  )
  await eraseLeads(store, expired, { by: 'retention', now })
  const purged = new Map<string, 'expired' | 'proof removed' | 'expired, proof removed'>(
    expired.map(({ id }) => [id, 'expired']),
  )
  const erasedLeads = locked.filter(
    ({ id, received_at, erased_at }) =>
      received_at < consentsBefore && (erased_at !== null || purged.has(id)),
  )
  if (erasedLeads.length === 0) return purged
  const erasedIds = erasedLeads.map(({ id }) => id)
  const removed = await store
    .deleteFrom('consents')
    .where('lead_id', 'in', erasedIds)
    .returning('lead_id')
    .execute()
  for (const { lead_id } of removed) {
    purged.set(lead_id, purged.has(lead_id) ? 'expired, proof removed' : 'proof removed')
  }
  return purged
}

/**
 * Finds leads whose delivery is open because an operator retried or released them after the search. The update changes
 * no value, but locks the deliveries until the commit.
 */
async function lockOpenDeliveries(
  store: Transaction<StoreTables>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await store
    .updateTable('deliveries')
    .set((eb) => ({ lead_id: eb.ref('lead_id') }))
    .where('lead_id', 'in', ids)
    .returning(['lead_id', 'settled_as'])
    .execute()
  return new Set(rows.filter((row) => row.settled_as === null).map((row) => row.lead_id))
}

interface PurgeCounts {
  readonly leads: number
  readonly consents: number
}

/** @param outcomes how many leads had each outcome */
export const countPurged = (outcomes: Readonly<Partial<Record<string, number>>>): PurgeCounts => {
  const both = outcomes['expired, proof removed'] ?? 0
  return {
    leads: (outcomes.expired ?? 0) + both,
    consents: (outcomes['proof removed'] ?? 0) + both,
  }
}

/** One transaction of the daily purge. */
export const purgeSlice: DatabaseTask<PurgeOrder, PurgeCounts> = {
  name: 'purgeSlice',
  run: (db, order) =>
    db.transaction().execute(async (store) => {
      const purged = await purgeLeads(store, order)
      return countPurged(countBy(purged.values(), (outcome) => outcome))
    }),
  isSlow: true,
}

export const makeLeadRetention = ({
  patient,
  run,
  wipe,
}: Pick<LeadDatabase, 'patient' | 'run' | 'wipe'>) => ({
  find: (limits: RetentionLimits, after: LeadCursor | undefined) =>
    findExpiredLeads(patient, limits, after),
  purge: (order: PurgeOrder) => run(purgeSlice, order),
  /** Removes the purged data from the store's files. */
  wipe,
})

export type LeadRetention = ReturnType<typeof makeLeadRetention>
