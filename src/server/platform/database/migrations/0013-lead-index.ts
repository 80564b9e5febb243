import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the console's lists are found by, and follows the leads. */
export const leadIndex: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    await makeTables(db, isPostgres)
    await (isPostgres ? watchOnPostgres(db) : watchOnSqlite(db))
    // The newest are taken first, from the end.
    await sql`insert into lead_changes (lead_id) select id from leads order by received_at, id`.execute(
      db,
    )
  },
}

async function makeTables(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  const seq = isPostgres
    ? sql`bigint generated always as identity primary key`
    : sql`integer primary key`
  const now = isPostgres
    ? sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql`(cast(unixepoch('subsec') * 1000 as integer))`
  await sql`create table lead_changes (seq ${seq}, lead_id text not null, at bigint not null default ${now})`.execute(
    db,
  )
  await db.schema
    .createTable('lead_index')
    .addColumn('lead_id', 'text', (column) => column.primaryKey())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('area', 'text', (column) => column.notNull())
    .addColumn('program', 'integer')
    .addColumn('affiliate', 'text')
    .addColumn('state', 'text')
    .addColumn('verified', 'integer')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('error', 'text')
    .execute()
  await db.schema
    .createIndex('lead_index_newest')
    .on('lead_index')
    .columns(['received_at', 'lead_id'])
    .execute()
  for (const column of ['status', 'area', 'program', 'affiliate', 'state', 'error']) {
    await db.schema
      .createIndex(`lead_index_${column}`)
      .on('lead_index')
      .columns([column, 'received_at', 'lead_id'])
      .where(sql.ref(column), 'is not', null)
      .execute()
  }
  await db.schema
    .createTable('lead_keys')
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('lead_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('lead_keys_key', ['key', 'received_at', 'lead_id'])
    .execute()
  await db.schema.createIndex('lead_keys_of').on('lead_keys').column('lead_id').execute()
  await db.schema
    .createTable('lead_searches')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('keys', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('saved_views')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('query', 'text', (column) => column.notNull())
    .addColumn('is_shared', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
}

/** What an erasure takes from the index, whichever version erases, and in its own transaction. */
const forgetting = (id: string) => [
  `delete from lead_keys where lead_id = ${id};`,
  `update lead_index set status = 'erased', affiliate = null, state = null, verified = null, error = null where lead_id = ${id};`,
]

async function watchOnSqlite(db: Kysely<unknown>): Promise<void> {
  const changed = (id: string) => `insert into lead_changes (lead_id) values (${id});`
  const triggers = [
    `lead_arrived after insert on leads begin ${changed('new.id')} end`,
    `lead_released after update of released_at on leads begin ${changed('new.id')} end`,
    `lead_erased after update of erased_at on leads when new.erased_at is not null
      begin ${forgetting('new.id').join(' ')} ${changed('new.id')} end`,
    `delivery_changed after update of attempts, settled_as on deliveries
      when new.attempts <> old.attempts or new.settled_as is not old.settled_as
      begin ${changed('new.lead_id')} end`,
  ]
  for (const trigger of triggers) await sql.raw(`create trigger ${trigger}`).execute(db)
}

async function watchOnPostgres(db: Kysely<unknown>): Promise<void> {
  const functions = {
    leads_arrived: 'insert into lead_changes (lead_id) select id from arrived order by id;',
    lead_changed: 'insert into lead_changes (lead_id) values (new.id);',
    lead_erased: `${forgetting('new.id').join(' ')} insert into lead_changes (lead_id) values (new.id);`,
    delivery_changed: 'insert into lead_changes (lead_id) values (new.lead_id);',
  }
  for (const [name, body] of Object.entries(functions)) {
    await sql
      .raw(
        `create or replace function ${name}() returns trigger language plpgsql as $$begin ${body} return null; end$$`,
      )
      .execute(db)
  }
  const triggers = [
    `leads_arrived after insert on leads referencing new table as arrived
      for each statement execute function leads_arrived()`,
    `lead_released after update of released_at on leads for each row execute function lead_changed()`,
    `lead_erased after update of erased_at on leads for each row when (new.erased_at is not null)
      execute function lead_erased()`,
    `delivery_changed after update of attempts, settled_as on deliveries for each row
      when (new.attempts <> old.attempts or new.settled_as is distinct from old.settled_as)
      execute function delivery_changed()`,
  ]
  for (const trigger of triggers) await sql.raw(`create trigger ${trigger}`).execute(db)
}
