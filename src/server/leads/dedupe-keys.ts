import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import { duplicateWindowMs } from '#domain/lead/duplicate.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Db = Kysely<StoreTables>

type Row = Pick<Selectable<StoreTables['leads']>, 'id' | 'received_at' | 'same_enquiry_hash'>

/** Whether the lead that holds the dedupe key was received 24 hours or longer before the new lead. */
const isHolderExpired = sql`enquirers.received_at <= excluded.received_at - ${sql.lit(duplicateWindowMs)}`

/**
 * Claims the dedupe keys of new leads (reading 18). The first lead with a key holds the key for 24 hours; a repeated
 * enquiry does not extend this time. The statement also writes the keys whose holder does not change, because the write
 * locks the row until the commit.
 * @param leads leads with different keys
 * @returns for each key, the id of the lead that holds the key
 */
export async function claimDedupeKeys(
  db: Db,
  leads: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  if (leads.length === 0) return new Map()
  // Sorting by key prevents a deadlock between two processes.
  const rows = leads
    .toSorted((a, b) => (a.same_enquiry_hash < b.same_enquiry_hash ? -1 : 1))
    .map(
      (lead) => sql`(${lead.same_enquiry_hash}, ${lead.id}, cast(${lead.received_at} as bigint))`,
    )
  const claimed = await sql<{ same_enquiry_hash: string; lead_id: string }>`
    insert into enquirers (same_enquiry_hash, lead_id, received_at) values ${sql.join(rows)}
    on conflict (same_enquiry_hash) do update set
      lead_id = case when ${isHolderExpired} then excluded.lead_id else enquirers.lead_id end,
      received_at = case when ${isHolderExpired} then excluded.received_at else enquirers.received_at end
    returning same_enquiry_hash, lead_id`.execute(db)
  return new Map(claimed.rows.map(({ same_enquiry_hash, lead_id }) => [same_enquiry_hash, lead_id]))
}

/**
 * Creates a lead's delivery, or links the lead to its original if the lead is a duplicate.
 * @param dueAt when to send the lead, in epoch milliseconds
 * @returns the original's id; null if a delivery was created
 */
export async function createDeliveryUnlessDuplicate(
  db: Db,
  lead: Row,
  dueAt = lead.received_at,
): Promise<string | null> {
  const { id, received_at: created_at, same_enquiry_hash } = lead
  const holder = (await claimDedupeKeys(db, [lead])).get(same_enquiry_hash) ?? id
  if (holder !== id) {
    await db.updateTable('leads').set({ duplicate_of: holder }).where('id', '=', id).execute()
    return holder
  }
  await db
    .insertInto('deliveries')
    .values({ id: randomUUIDv7(), lead_id: id, created_at, next_at: dueAt })
    .execute()
  return null
}

/**
 * Gives leads their dedupe keys back. Leads lose their keys if the distributor doesn't accept them, but need the keys
 * again if they are retried or were delivered after all. The update changes no value, but its lock makes a concurrent
 * erasure wait.
 * @returns for each lead, the id of the lead that holds the key; erased leads are missing
 */
export async function reclaimDedupeKeys(
  db: Db,
  leadIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (leadIds.length === 0) return new Map()
  const leads = await db
    .updateTable('leads')
    .set((eb) => ({ area: eb.ref('area') }))
    .where('id', 'in', leadIds)
    .where('erased_at', 'is', null)
    .returning(['id', 'received_at', 'same_enquiry_hash'])
    .execute()
  const byAge = leads.toSorted((a, b) => a.received_at - b.received_at || (a.id < b.id ? -1 : 1))
  const byKey = Map.groupBy(byAge, (lead) => lead.same_enquiry_hash)
  const holders = await claimDedupeKeys(
    db,
    [...byKey.values()].flatMap(([first]) => first ?? []),
  )
  return new Map(leads.map((lead) => [lead.id, holders.get(lead.same_enquiry_hash) ?? lead.id]))
}

/**
 * Deletes the dedupe keys of leads before the leads are erased, so that erased leads do not block repeats. The query
 * locks the keys in sorted order, so that two processes do not deadlock.
 */
export async function deleteDedupeKeys(db: Db, leadIds: readonly string[]): Promise<void> {
  const keys = await db
    .selectFrom('enquirers')
    .select('same_enquiry_hash')
    .where('same_enquiry_hash', 'in', (eb) =>
      eb.selectFrom('leads').select('same_enquiry_hash').where('id', 'in', leadIds),
    )
    .where('lead_id', 'in', leadIds)
    .orderBy('same_enquiry_hash')
    .forUpdate()
    .execute()
  if (keys.length === 0) return
  const hashes = keys.map(({ same_enquiry_hash }) => same_enquiry_hash)
  await db.deleteFrom('enquirers').where('same_enquiry_hash', 'in', hashes).execute()
}

/**
 * Takes the dedupe keys from leads that the distributor did not accept or that are quarantined again. The first
 * duplicate of each lead gets the lead's key and a delivery. The caller changes the leads' state in the same
 * transaction.
 */
export async function transferDedupeKeys(db: Db, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length === 0) return
  // The deletion comes before the query, because a deletion waits for concurrent enquiries that repeat a lead.
  await deleteDedupeKeys(db, leadIds)
  const duplicates = await db
    .selectFrom('leads')
    .select(['id', 'received_at', 'same_enquiry_hash', 'duplicate_of'])
    .where('duplicate_of', 'in', leadIds)
    .where('erased_at', 'is', null)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
  for (const [holder, leads] of Map.groupBy(duplicates, ({ duplicate_of }) => duplicate_of)) {
    if (holder !== null) await transferKey(db, holder, leads)
  }
}

/** Gives a delivery to the first duplicate of `holder`, and links the other duplicates to this first duplicate. */
async function transferKey(db: Db, holder: string, leads: readonly Row[]): Promise<void> {
  for (const lead of leads) {
    const { numUpdatedRows } = await db
      .updateTable('leads')
      .set({ duplicate_of: null })
      .where('id', '=', lead.id)
      .where('duplicate_of', '=', holder)
      .where('erased_at', 'is', null)
      .executeTakeFirstOrThrow()
    // The lead was erased meanwhile, or is no longer a duplicate.
    if (numUpdatedRows === 0n) continue
    const newHolder = await createDeliveryUnlessDuplicate(db, lead)
    await db
      .updateTable('leads')
      .set({ duplicate_of: newHolder ?? lead.id })
      .where('duplicate_of', '=', holder)
      .where('erased_at', 'is', null)
      .execute()
    return
  }
}
