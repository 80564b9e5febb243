import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The ids of error groups were hashes of what the distributor wrote. Each failed lead is indexed again under a keyed id. */
export const keyedErrorGroups: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`insert into lead_changes (lead_id)
      select lead_id from lead_index where error_group is not null`.execute(db)
  },
}
