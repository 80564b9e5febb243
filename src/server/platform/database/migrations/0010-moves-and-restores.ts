import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** That a store's leads have gone to another one, and what is in doubt after a restore. */
export const movesAndRestores: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('moves')
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('moved_at', 'bigint', (column) => column.notNull())
      .execute()
    // SQLite adds one column a statement.
    for (const name of ['settled_by_hand_at', 'restored_at']) {
      await db.schema.alterTable('deliveries').addColumn(name, 'bigint').execute()
    }
    await db.schema
      .createIndex('deliveries_restored')
      .on('deliveries')
      .columns(['created_at', 'lead_id'])
      .where(sql.ref('restored_at'), 'is not', null)
      .where(sql.ref('settled_at'), 'is', null)
      .execute()
  },
}
