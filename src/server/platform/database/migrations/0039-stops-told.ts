import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Keeps which listing a release overrode, because times don't say which of two events of one millisecond came first,
 * and who told the receivers of a lead that its person asked not to be contacted.
 */
export const stopsToldMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [
      'alter table leads add column released_despite bigint',
      'alter table sent_before_stop add column told_at bigint',
      'alter table sent_before_stop add column told_by text',
    ])
      await sql.raw(statement).execute(db)
  },
}
