import type { Kysely } from 'kysely'
import { openLeadDatabase } from '#server/platform/database/store-state.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { StoreSettings } from '#server/store/open-store.ts'

/** Changes a store's tables without the product's code. */
export async function withDatabase(
  { dataDir, databaseUrl }: StoreSettings,
  use: (db: Kysely<StoreTables>) => Promise<unknown>,
): Promise<void> {
  const { db } = await openLeadDatabase(dataDir, databaseUrl)
  await use(db).finally(() => db.destroy())
}
