import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The index finds the affiliate of a lead whose affiliate id is written in another case. */
export const affiliatesInAnyCase: Migration = {
  up: async (db) => {
    await sql`create index affiliate_ids_any_case on affiliate_ids (lower(affid))`.execute(db)
  },
}
