import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds source and campaign to the index of leads. Leads of 0.2.0 have neither. A separate trigger empties source and
 * campaign when either release erases a lead.
 */
export const leadAttribution: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    for (const column of ['source', 'campaign']) {
      await sql`alter table lead_index add column ${sql.ref(column)} text`.execute(db)
      await sql`create index ${sql.ref(`lead_index_${column}`)}
        on lead_index (${sql.ref(column)}, received_at, lead_id)
        where ${sql.ref(column)} is not null`.execute(db)
    }
    for (const statement of isPostgres ? onPostgres : onSqlite) await sql.raw(statement).execute(db)
  },
}

const forget = 'update lead_index set source = null, campaign = null where lead_id = new.id;'

const onSqlite = [
  `create trigger lead_attribution_erased after update of erased_at on leads
    when new.erased_at is not null begin ${forget} end`,
]

const onPostgres = [
  `create function lead_attribution_erased() returns trigger language plpgsql
    set enable_seqscan = off as $$begin ${forget} return null; end$$`,
  `create trigger lead_attribution_erased after update of erased_at on leads
    for each row when (new.erased_at is not null) execute function lead_attribution_erased()`,
]
