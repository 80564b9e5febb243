import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Forms that wait for passkey or password, sealed. */
export const keptForms: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('kept_forms')
      .addColumn('id_hash', 'text', (column) => column.primaryKey())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
