import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** The ids of the leads that repeat one (reading 18), the first first, at most `take`. */
export async function findRepetitions(
  db: Kysely<StoreTables>,
  leadId: string,
  take: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('leads')
    .select('id')
    .where('duplicate_of', '=', leadId)
    .orderBy('received_at')
    .orderBy('id')
    .limit(take)
    .execute()
  return rows.map(({ id }) => id)
}
