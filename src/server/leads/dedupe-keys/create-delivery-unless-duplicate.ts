import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { OwnError } from '#domain/own-error.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { claimDedupeKeys } from './dedupe-keys.ts'

type Store = Kysely<StoreTables>

interface Undelivered {
  readonly id: string
  readonly receivedAt: number
  readonly dedupeKey: string
}

/**
 * Gives a stored lead its delivery, or links it with the lead that it repeats (reading 18).
 * @returns the id of the one that it repeats; null where a delivery is owed
 */
export async function createDeliveryUnlessDuplicate(
  store: Store,
  lead: Undelivered,
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

/** @returns the id of the lead that counts under its key */
async function claimDedupeKey(
  store: Store,
  { dedupeKey, id, receivedAt }: Undelivered,
): Promise<string> {
  const lead = sql`values (${dedupeKey}, ${id}, cast(${receivedAt} as bigint))`
  const { rows } = await claimDedupeKeys(lead).execute(store)
  const [claimed] = rows
  if (claimed === undefined) throw new OwnError('The database does not say which lead counts.')
  return claimed.lead_id
}
