import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const columns = ['affiliate', 'source', 'campaign']

/**
 * Lets filters of affiliates, sources and campaigns ignore case, and marks values that contain the person's own data. A
 * process indexes the leads that have such values again, because only code can change the case of every letter on
 * SQLite, and find personal data in a value. PostgreSQL has statistics of columns, but not of partial indexes'
 * expressions, so the values in lower case have columns of their own.
 */
export const migrationFindOriginsInAnyCase: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    const hasOrigin = columns.map((column) => `${column} is not null`).join(' or ')
    const statements = [
      'alter table lead_index add column personal_origins integer',
      ...columns.map((column) => `alter table lead_index add column ${column}_key text`),
      `update lead_index set ${columns.map((column) => `${column}_key = lower(${column})`).join(', ')}
        where ${hasOrigin}`,
      ...columns.map(
        (
          column,
        ) => `create index lead_index_${column}_key on lead_index (${column}_key, received_at, lead_id)
          where ${column}_key is not null`,
      ),
      `insert into leads_to_index (lead_id) select lead_id from lead_index where ${hasOrigin}
        on conflict do nothing`,
      ...(isPostgres ? postgresTrigger : sqliteTrigger),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const forget = `update lead_index set personal_origins = null,
  ${columns.map((column) => `${column}_key = null`).join(', ')} where lead_id = new.id;`

const sqliteTrigger = [
  `create trigger lead_erased_origins after update of erased_at on leads when new.erased_at is not null
    begin ${forget} end`,
]

const postgresTrigger = [
  `create function lead_erased_origins() returns trigger language plpgsql
    set enable_seqscan = off as $$begin ${forget} return null; end$$`,
  `create trigger lead_erased_origins after update of erased_at on leads
    for each row when (new.erased_at is not null) execute function lead_erased_origins()`,
]
