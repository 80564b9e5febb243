import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the leads that the distributor took back, and the headings of its files. A trigger removes a return's reason, which
 * may quote the person, when either release erases the lead.
 */
export const returns: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    const statements = [
      `create table returns (
        lead_id text primary key references leads (id) on delete cascade, returned_at bigint not null, reason text,
        imported_at bigint not null, file_hash text not null
      )`,
      'create index returns_imported on returns (imported_at)',
      'create table return_columns (field text primary key, heading text not null)',
      'alter table lead_index add column returned_at bigint',
      'create index lead_index_returned on lead_index (received_at, lead_id) where returned_at is not null',
      ...(isPostgres ? onPostgres : onSqlite),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const forget = 'update returns set reason = null where lead_id = new.id;'

const onSqlite = [
  `create trigger return_erased after update of erased_at on leads
    when new.erased_at is not null begin ${forget} end`,
]

const onPostgres = [
  `create function return_erased() returns trigger language plpgsql
    set enable_seqscan = off as $$begin ${forget} return null; end$$`,
  `create trigger return_erased after update of erased_at on leads
    for each row when (new.erased_at is not null) execute function return_erased()`,
]
