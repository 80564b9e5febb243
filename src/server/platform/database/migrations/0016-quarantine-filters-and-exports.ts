import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Releases that can still be undone; what lists are walked by for two more filters; how far exports
 * are, and the audit by the command line's users.
 */
export const quarantineFiltersAndExports: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('held_releases')
      .addColumn('lead_id', 'text', (column) => column.primaryKey())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('operator_id', 'text', (column) => column.notNull())
      .addColumn('audit_id', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('export_progress')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('operator_id', 'text', (column) => column.notNull())
      .addColumn('began_at', 'bigint', (column) => column.notNull())
      .addColumn('done', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .execute()
    // The one of 0004 holds the erased ones too, which retention makes many: the oldest that waits came after them all.
    await db.schema
      .createIndex('leads_in_quarantine')
      .on('leads')
      .columns(['received_at', 'id'])
      .where(sql.ref('quarantined_at'), 'is not', null)
      .where(sql.ref('released_at'), 'is', null)
      .where(sql.ref('erased_at'), 'is', null)
      .execute()
    await db.schema.dropIndex('leads_quarantined').execute()
    // What most leads are has none: it is found at once without.
    await sql`create index lead_index_unverified on lead_index (received_at, lead_id) where verified = 0`.execute(
      db,
    )
    await sql`create index lead_index_attempts on lead_index
      ((case when attempts = 0 then 0 when attempts < 5 then 2 when attempts < 20 then 5 else 20 end), received_at, lead_id)
      where attempts <> 1`.execute(db)
    await db.schema
      .createIndex('audit_of_user')
      .on('audit')
      .columns(['system_user', 'id'])
      .where(sql.ref('system_user'), 'is not', null)
      .execute()
  },
}
