import { type Kysely, sql } from 'kysely'
import { idEndPosition, toIdEnd } from '#domain/lead/reference.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/**
 * Finds the ids of the leads with a reference, oldest first. The store gives each reference to one lead, but leads that
 * release 0.3.0 or an earlier one stored may share theirs, with each other and with one newer lead.
 */
export async function findReferencedIds(
  db: Kysely<StoreTables>,
  reference: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from leads where reference = ${reference}
    union all
    select id from leads
    where reference is null and substr(id, ${sql.lit(idEndPosition)}) = ${toIdEnd(reference)}
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
