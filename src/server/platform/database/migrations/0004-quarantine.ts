import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What spoke against a lead, whether it waits for the operator, and secrets that all processes share. */
export const quarantine: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('leads').addColumn('signals', 'text').execute()
    await db.schema.alterTable('leads').addColumn('quarantined_at', 'bigint').execute()
    await db.schema.alterTable('leads').addColumn('released_at', 'bigint').execute()
    // Holds what waits and nothing else.
    await db.schema
      .createIndex('leads_quarantined')
      .on('leads')
      .columns(['received_at', 'id'])
      .where(sql.ref('quarantined_at'), 'is not', null)
      .where(sql.ref('released_at'), 'is', null)
      .execute()
    await db.schema
      .createTable('secrets')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()
  },
}
