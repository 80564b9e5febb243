import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Error groups get keyed ids: their old ids were plain hashes of the distributor's responses. Each failed lead is
 * indexed again.
 */
export const keyedErrorGroups: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`insert into lead_changes (lead_id)
      select lead_id from lead_index where error_group is not null`.execute(db)
  },
}
