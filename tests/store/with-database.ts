import type { Kysely } from 'kysely'
import { openLeadDatabase } from '#server/store/open-lead-database.ts'
import type { StoreSettings } from '#server/store/open-store.ts'
import type { StoreTables } from '#server/store/store-tables.ts'

/** What somebody does to a store's tables past the product. */
export async function withDatabase(
  { dataDir, databaseUrl }: StoreSettings,
  use: (db: Kysely<StoreTables>) => Promise<unknown>,
): Promise<void> {
  const { db } = await openLeadDatabase(dataDir, databaseUrl)
  await use(db).finally(() => db.destroy())
}
