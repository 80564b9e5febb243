import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** The ids of the leads that correct each of some leads (reading 23), the first first; those without are left out. */
export type Corrections = ReadonlyMap<string, readonly string[]>

export async function findCorrections(
  db: Kysely<StoreTables>,
  leadIds: readonly string[],
): Promise<Corrections> {
  const found = new Map<string, string[]>()
  if (leadIds.length === 0) return found
  const rows = await db
    .selectFrom('leads')
    .select(['id', 'corrects'])
    .where('corrects', 'in', leadIds)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
  for (const { id, corrects } of rows) {
    if (corrects !== null) found.set(corrects, [...(found.get(corrects) ?? []), id])
  }
  return found
}
