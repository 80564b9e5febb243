import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { makeAppendOnlyTriggers } from './baseline-migrations.ts'

/** Adds statements, whose numbers nobody can change once they are closed, and ad spend. */
export const statementsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    for (const statement of [
      `create table statements (
        id text primary key, affiliate_id text not null, affiliate_name text not null, month bigint not null,
        lines text not null, accepted integer not null, returned integer not null, reversed integer not null,
        owed_cents bigint not null, closed_at bigint not null, operator_id text, "system_user" text
      )`,
      'create unique index statements_once on statements (affiliate_id, month)',
      ...makeAppendOnlyTriggers('statements', isPostgres),
      'create table removed_affiliates (id text primary key, name text not null, removed_at bigint not null)',
      `create table spend (
        day bigint not null, source text not null, campaign text not null, source_key text not null,
        campaign_key text not null, amount_cents bigint not null, set_at bigint not null, operator_id text,
        "system_user" text, primary key (day, source_key, campaign_key)
      )`,
      'create table spend_columns (field text primary key, heading text not null)',
    ])
      await sql.raw(statement).execute(db)
  },
}
