import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Removes forms that waited for a confirmation, which forms no longer need. An operator whose form waits during the
 * upgrade sends it again.
 */
export const emptyKeptForms: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`delete from kept_forms`.execute(db)
  },
}
