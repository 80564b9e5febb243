import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { appendOnly } from '../append-only.ts'

/** Who works on the console, how they sign in, and what was done. */
export const operators: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('operators')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('disabled_at', 'bigint')
      .execute()
    await db.schema
      .createTable('operator_credentials')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('operator_id', 'text', (column) => column.notNull().references('operators.id'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .execute()
    await db.schema
      .createIndex('operator_credentials_of')
      .on('operator_credentials')
      .columns(['operator_id', 'kind'])
      .execute()
    await db.schema
      .createTable('operator_links')
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      .addColumn('operator_id', 'text', (column) => column.notNull().references('operators.id'))
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('operator_links_of')
      .on('operator_links')
      .columns(['operator_id', 'purpose'])
      .execute()
    await db.schema
      .createTable('operator_sessions')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('operator_id', 'text', (column) => column.notNull().references('operators.id'))
      .addColumn('began_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('strong_at', 'bigint', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('browser', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('operator_sessions_of')
      .on('operator_sessions')
      .column('operator_id')
      .execute()
    await db.schema
      .createTable('sign_in_failures')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('free_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('sign_in_failures_last')
      .on('sign_in_failures')
      .column('last_at')
      .execute()
    await db.schema
      .createTable('audit')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('via', 'text', (column) => column.notNull())
      .addColumn('operator_id', 'text')
      .addColumn('system_user', 'text')
      .addColumn('network', 'text')
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('subject', 'text')
      .addColumn('reason', 'text')
      .execute()
    await db.schema
      .createTable('audit_outcomes')
      .addColumn('audit_id', 'text', (column) => column.primaryKey().references('audit.id'))
      .addColumn('outcome', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('audit_of_operator')
      .on('audit')
      .columns(['operator_id', 'id'])
      .where(sql.ref('operator_id'), 'is not', null)
      .execute()
    await db.schema.createIndex('audit_of_action').on('audit').columns(['action', 'id']).execute()
    await db.schema
      .createIndex('audit_of_subject')
      .on('audit')
      .columns(['subject', 'id'])
      .where(sql.ref('subject'), 'is not', null)
      .execute()
    for (const table of ['audit', 'audit_outcomes']) await appendOnly(db, table)
  },
}
