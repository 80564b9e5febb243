import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the page Deliveries shows of the past (holds), 0188 (error groups) and 0189 (rollups). */
export const deliveryHistory: Migration = {
  async up(db: Kysely<unknown>) {
    await makeHolds(db)
    await makeErrorGroups(db)
    await makeRollups(db)
  },
}

async function makeHolds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('delivery_holds')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('began_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('is_open', 'integer', (column) => column.notNull())
    .addColumn('begun_by_operator', 'text')
    .addColumn('begun_by_user', 'text')
    .addColumn('ended_by_operator', 'text')
    .addColumn('ended_by_user', 'text')
    .addColumn('end_reason', 'text')
    .execute()
  await db.schema
    .createIndex('delivery_holds_newest')
    .on('delivery_holds')
    .columns(['began_at', 'id'])
    .execute()
  // What holds deliveries back at this moment; nobody knows any more who began it.
  await sql`
    insert into delivery_holds (id, kind, reason, began_at, is_open)
    select 'before-pause', 'pause', coalesce(pause_reason, ''), paused_at, 1
    from delivery_gate where paused_by = 'operator' and paused_at is not null`.execute(db)
  await sql`
    insert into delivery_holds (id, kind, reason, began_at, is_open)
    select 'before-trip', case when paused_by = 'refusal' then 'refusal' else 'outage' end,
      case when paused_by = 'operator' then '' else coalesce(pause_reason, '') end,
      case when paused_by = 'refusal' then paused_at else outage_since end, 1
    from delivery_gate where paused_by = 'refusal' or outage_since is not null`.execute(db)
}

async function makeErrorGroups(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('error_groups')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('error', 'text', (column) => column.notNull())
    .addColumn('words', 'text', (column) => column.notNull())
    .execute()
  // SQLite adds one column a statement.
  await db.schema.alterTable('lead_index').addColumn('error_group', 'text').execute()
  await db.schema.alterTable('lead_index').addColumn('failed_at', 'bigint').execute()
  const indexes = {
    lead_index_error_group: ['error_group', 'received_at', 'lead_id'],
    lead_index_failed: ['error_group', 'status', 'failed_at', 'lead_id'],
  }
  for (const [name, columns] of Object.entries(indexes)) {
    await db.schema
      .createIndex(name)
      .on('lead_index')
      .columns(columns)
      .where(sql.ref('error_group'), 'is not', null)
      .execute()
  }
  await forgetGroupsOfErased(db)
  // Those that failed before are looked at once more.
  await sql`insert into lead_changes (lead_id) select lead_id from lead_index where error is not null`.execute(
    db,
  )
}

/** In the transaction that erases, whichever version does, as the rest of the index goes. */
async function forgetGroupsOfErased(db: Kysely<unknown>): Promise<void> {
  const forgetting =
    'update lead_index set error_group = null, failed_at = null where lead_id = new.id;'
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) {
    await sql
      .raw(
        `create trigger lead_erased_ungrouped after update of erased_at on leads when new.erased_at is not null
         begin ${forgetting} end`,
      )
      .execute(db)
    return
  }
  await sql
    .raw(
      `create or replace function lead_erased_ungrouped() returns trigger language plpgsql as
       $$begin ${forgetting} return null; end$$`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger lead_erased_ungrouped after update of erased_at on leads for each row
       when (new.erased_at is not null) execute function lead_erased_ungrouped()`,
    )
    .execute(db)
}

async function makeRollups(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('delivery_rollups')
    .addColumn('from_at', 'bigint', (column) => column.primaryKey())
    .addColumn('delivered', 'integer', (column) => column.notNull())
    .addColumn('rejected', 'integer', (column) => column.notNull())
    .addColumn('failed', 'integer', (column) => column.notNull())
    .addColumn('waits', 'text', (column) => column.notNull())
    .addColumn('calls', 'text', (column) => column.notNull())
    .addColumn('waiting', 'integer')
    .addColumn('oldest_at', 'bigint')
    .execute()
}
