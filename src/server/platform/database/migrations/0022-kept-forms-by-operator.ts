import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whose a kept form is, so that each operator has a few at most. */
export const keptFormsByOperator: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('kept_forms').addColumn('operator_id', 'text').execute()
    await db.schema
      .createIndex('kept_forms_of')
      .on('kept_forms')
      .columns(['operator_id', 'expires_at'])
      .execute()
  },
}
