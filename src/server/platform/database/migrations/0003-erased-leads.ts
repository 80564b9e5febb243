import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Remembers whose data are erased, and lets a status be counted and listed without reading every lead. */
export const erasedLeads: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('leads').addColumn('erased_at', 'bigint').execute()
    await db.schema
      .createIndex('leads_erased')
      .on('leads')
      .columns(['received_at', 'id'])
      .where(sql.ref('erased_at'), 'is not', null)
      .execute()
    await db.schema
      .createIndex('leads_duplicate')
      .on('leads')
      .columns(['received_at', 'id'])
      .where(sql.ref('duplicate_of'), 'is not', null)
      .execute()
    // `created_at` is when the lead was received: this serves both the counts and the newest of one status.
    await db.schema
      .createIndex('deliveries_by_standing')
      .on('deliveries')
      .columns(['settled_as', 'created_at', 'lead_id'])
      .execute()
  },
}
