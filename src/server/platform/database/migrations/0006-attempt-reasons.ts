import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Parts what we say of an attempt, which tells of nobody and stays, from what the distributor wrote, which goes with the
 * person: that stays in `detail`, so that a version before this one erases it, too.
 */
export const attemptReasons: Migration = {
  async up(db: Kysely<unknown>) {
    // SQLite adds one column a statement.
    await db.schema.alterTable('attempts').addColumn('reason', 'text').execute()
    await db.schema.alterTable('attempts').addColumn('error_code', 'text').execute()
    await db.schema.alterTable('attempts').addColumn('retry_after_ms', 'bigint').execute()
  },
}
