import { hash, randomUUIDv7 } from 'node:crypto'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { dedupeKeyOf, duplicateWindowMs } from '#domain/lead/duplicate.ts'
import { LoggableError } from '#domain/loggable-error.ts'
import type { Locking } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { readOrUnreadable, readPayload } from './lead-payload.ts'

type Store = Kysely<StoreTables>

/** The lead that counts under a dedupe key: the lead that claimed the key, or an earlier lead with an equal key. */
interface Claimed {
  readonly same_enquiry_hash: string
  readonly lead_id: string
}

/** The lead that holds the dedupe key came more than 24 hours earlier. */
const isHolderExpired = sql`enquirers.received_at <= excluded.received_at - ${sql.lit(duplicateWindowMs)}`

/**
 * Claims dedupe keys (reading 18) in one statement for both databases. The first lead under a key counts for 24 hours,
 * and a repeated enquiry does not extend them. The statement also rewrites a key that stays with its holder, because the
 * write locks the row until the commit. It reads no other table, which keeps its plan fast.
 * @param leads rows of dedupe key, lead id and time of receipt, with each key at most once: `values …` or `select …`
 */
export const claimDedupeKeys = (leads: RawBuilder<unknown>): RawBuilder<Claimed> => sql<Claimed>`
  insert into enquirers (same_enquiry_hash, lead_id, received_at) ${leads}
  on conflict (same_enquiry_hash) do update set
    lead_id = case when ${isHolderExpired} then excluded.lead_id else enquirers.lead_id end,
    received_at = case when ${isHolderExpired} then excluded.received_at else enquirers.received_at end
  returning same_enquiry_hash, lead_id`

export const keyColumns = ['same_enquiry_hash', 'email', 'payload'] as const

/**
 * Computes a lead's dedupe key again, because an older version may have computed the stored key differently. The stored
 * key is used if the lead cannot be read. Not for erased leads.
 */
export const dedupeKeyOfRow = ({
  same_enquiry_hash,
  email,
  payload,
}: Pick<Selectable<StoreTables['leads']>, (typeof keyColumns)[number]>): string =>
  readOrUnreadable(
    () => hash('sha256', dedupeKeyOf({ email, ...readPayload(payload) })),
    () => same_enquiry_hash,
  )

interface CandidateDelivery {
  readonly id: string
  readonly receivedAt: number
  readonly dedupeKey: string
}

/**
 * Creates a stored lead's delivery, or links the lead to the lead that it repeats (reading 18).
 * @returns the id of the lead that it repeats; null if a delivery was created
 */
export async function createDeliveryUnlessDuplicate(
  store: Store,
  lead: CandidateDelivery,
): Promise<string | null> {
  const { id, receivedAt } = lead
  const holder = await claimDedupeKey(store, lead)
  if (holder !== id) {
    await store.updateTable('leads').set({ duplicate_of: holder }).where('id', '=', id).execute()
    return holder
  }
  await store
    .insertInto('deliveries')
    .values({ id: randomUUIDv7(), lead_id: id, created_at: receivedAt, next_at: receivedAt })
    .execute()
  return null
}

/** @returns the id of the lead that counts under the dedupe key */
async function claimDedupeKey(
  store: Store,
  { dedupeKey, id, receivedAt }: CandidateDelivery,
): Promise<string> {
  const lead = sql`values (${dedupeKey}, ${id}, cast(${receivedAt} as bigint))`
  const { rows } = await claimDedupeKeys(lead).execute(store)
  const [claimed] = rows
  if (claimed === undefined)
    throw new LoggableError('The database returned no lead for a dedupe key.')
  return claimed.lead_id
}

type Row = Pick<
  Selectable<StoreTables['leads']>,
  'id' | 'received_at' | (typeof keyColumns)[number]
>

/**
 * Gives dedupe keys back to leads that lost them because the distributor did not accept the lead, and that were
 * delivered after all or will be retried. The update changes no value, but its lock makes a concurrent erasure wait.
 * @returns for each lead, the id of the lead that counts under its key; erased leads are missing
 */
export async function claimDedupeKeysAgain(
  store: Store,
  leadIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (leadIds.length === 0) return new Map()
  const leads = await store
    .updateTable('leads')
    .set((eb) => ({ area: eb.ref('area') }))
    .where('id', 'in', leadIds)
    .where('erased_at', 'is', null)
    .returning(['id', 'received_at', ...keyColumns])
    .execute()
  const holders = await claimFor(store, oldestByKey(leads))
  return new Map(leads.map((lead) => [lead.id, holders.get(dedupeKeyOfRow(lead)) ?? lead.id]))
}

/** The earliest lead of each key, sorted by key so that two processes do not deadlock. */
const oldestByKey = (leads: readonly Row[]): readonly (readonly [string, Row])[] =>
  [...Map.groupBy(leads.toSorted(byAge), dedupeKeyOfRow)]
    .flatMap(([key, [first]]) => (first === undefined ? [] : [[key, first] as const]))
    .sort(([a], [b]) => (a < b ? -1 : 1))

const byAge = (a: Row, b: Row): number => a.received_at - b.received_at || (a.id < b.id ? -1 : 1)

async function claimFor(
  store: Store,
  firsts: readonly (readonly [string, Row])[],
): Promise<ReadonlyMap<string, string>> {
  if (firsts.length === 0) return new Map()
  const rows = firsts.map(
    ([key, { id, received_at }]) => sql`(${key}, ${id}, cast(${received_at} as bigint))`,
  )
  const claimed = await claimDedupeKeys(sql`values ${sql.join(rows)}`).execute(store)
  return new Map(claimed.rows.map(({ same_enquiry_hash, lead_id }) => [same_enquiry_hash, lead_id]))
}

/**
 * Deletes the dedupe keys of leads that are about to be erased, so that the leads no longer block repeats. The query
 * searches by key, which is indexed, and locks keys in sorted order, so that two processes do not deadlock.
 */
export async function freeDedupeKeys(
  store: Kysely<StoreTables>,
  leadIds: readonly string[],
  locking: Locking,
): Promise<void> {
  const leads = await store
    .selectFrom('leads')
    .select(keyColumns)
    .where('id', 'in', leadIds)
    .where('erased_at', 'is', null)
    .execute()
  const keys = leads.flatMap((lead) => [lead.same_enquiry_hash, dedupeKeyOfRow(lead)])
  if (keys.length === 0) return
  const heldKeys = await store
    .selectFrom('enquirers')
    .select('same_enquiry_hash')
    .where('same_enquiry_hash', 'in', [...new Set(keys)])
    .where('lead_id', 'in', leadIds)
    .orderBy('same_enquiry_hash')
    .$if(locking === 'rows', (query) => query.forUpdate())
    .execute()
  if (heldKeys.length === 0) return
  await store
    .deleteFrom('enquirers')
    .where(
      'same_enquiry_hash',
      'in',
      heldKeys.map(({ same_enquiry_hash }) => same_enquiry_hash),
    )
    .execute()
}

type DuplicateRow = Pick<
  Selectable<StoreTables['leads']>,
  'id' | 'received_at' | 'duplicate_of' | (typeof keyColumns)[number]
>

/**
 * Moves the dedupe keys of leads that the distributor did not accept: the first enquiry that repeated such a lead gets
 * the key and a delivery. The caller's transaction must also settle the leads.
 */
export async function transferDedupeKeys(
  store: Store,
  leadIds: readonly string[],
  locking: Locking,
): Promise<void> {
  if (leadIds.length === 0) return
  // The deletion comes before the query, because it waits for concurrent enquiries that repeat a lead.
  await freeDedupeKeys(store, leadIds, locking)
  const duplicates = await store
    .selectFrom('leads')
    .select(['id', 'received_at', 'duplicate_of', ...keyColumns])
    .where('duplicate_of', 'in', leadIds)
    .where('erased_at', 'is', null)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
  for (const [holder, leads] of Map.groupBy(duplicates, ({ duplicate_of }) => duplicate_of)) {
    if (holder !== null) await transferKey(store, holder, leads)
  }
}

/** Gives a delivery to the first lead that repeated `holder`, and links the other repeats to the lead that now counts. */
async function transferKey(
  store: Store,
  holder: string,
  leads: readonly DuplicateRow[],
): Promise<void> {
  for (const lead of leads) {
    if (!(await unlinkDuplicate(store, lead))) continue
    const { id, received_at: receivedAt } = lead
    const dedupeKey = dedupeKeyOfRow(lead)
    const counting = await createDeliveryUnlessDuplicate(store, { id, receivedAt, dedupeKey })
    await store
      .updateTable('leads')
      .set({ duplicate_of: counting ?? id })
      .where('duplicate_of', '=', holder)
      .where('erased_at', 'is', null)
      .execute()
    return
  }
}

/** @returns false if the lead was erased meanwhile */
async function unlinkDuplicate(store: Store, { id, duplicate_of }: DuplicateRow): Promise<boolean> {
  const { numUpdatedRows } = await store
    .updateTable('leads')
    .set({ duplicate_of: null })
    .where('id', '=', id)
    .where('duplicate_of', '=', duplicate_of)
    .where('erased_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
