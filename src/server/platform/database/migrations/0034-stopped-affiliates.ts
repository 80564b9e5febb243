import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lets an admin stop an affiliate. */
export const stoppedAffiliates: Migration = {
  up: async (db) => {
    await sql`alter table affiliates add column stopped_at bigint`.execute(db)
    await sql`alter table affiliates add column stop_reason text`.execute(db)
  },
}
