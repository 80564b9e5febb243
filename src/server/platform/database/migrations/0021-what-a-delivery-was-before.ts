import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How a delivery had ended before it was owed again, and since when a hold held. */
export const whatADeliveryWasBefore: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('delivery_endings')
      .addColumn('delivery_id', 'text', (column) => column.notNull())
      .addColumn('settled_as', 'text', (column) => column.notNull())
      .addColumn('settled_at', 'bigint', (column) => column.notNull())
      .addColumn('is_by_hand', 'integer', (column) => column.notNull())
      .addColumn('owed_again_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('delivery_endings_key', ['delivery_id', 'owed_again_at'])
      .execute()
    await db.schema.alterTable('delivery_holds').addColumn('noticed_at', 'bigint').execute()
  },
}
