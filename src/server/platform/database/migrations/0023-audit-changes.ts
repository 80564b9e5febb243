import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { makeAppendOnlyTriggers } from './baseline-migrations.ts'

/** Adds the old and the new values of what audited actions change. Like the rest of the audit log, they never change. */
export const migrationAuditChanges: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    const statements = [
      `create table audit_changes (
        audit_id text primary key references audit (id), target text, changes text not null
      )`,
      ...makeAppendOnlyTriggers('audit_changes', isPostgres),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
