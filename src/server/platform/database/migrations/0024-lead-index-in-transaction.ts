import { randomBytes } from 'node:crypto'
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Triggers update the index of leads in the transaction that changes a lead or its delivery, so that the previous
 * release can run beside this one without leaving stale rows. This release inserts an index row with each lead. A lead
 * that the previous release stores gets a row with its status at once, and waits in `leads_to_index` for the columns
 * that only code can fill. The migration also removes forms that waited for a confirmation, which forms no longer need,
 * and indexes failed leads again, because the ids of their error groups were plain hashes of the distributor's
 * responses.
 */
export const leadIndexInTransaction: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    await db.schema
      .createTable('leads_to_index')
      .addColumn('lead_id', 'text', (column) => column.primaryKey())
      .execute()
    const secret = randomBytes(32).toString('base64url')
    await sql`insert into secrets (name, value) values ('lead keys', ${secret})
      on conflict (name) do nothing`.execute(db)
    const statements = isPostgres ? makePostgresStatements() : makeSqliteStatements()
    for (const statement of [...statements, ...indexPending, 'delete from kept_forms']) {
      await sql.raw(statement).execute(db)
    }
  },
}

/** How the last attempt failed, in one word; null after a delivery and for an erased lead. */
const error = `case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end`

/**
 * Returns SQL that updates the index rows of some leads: `= new.id`, or `in (select …)`. Only this SQL derives a lead's
 * indexed status.
 */
const makeRefreshSql = (leadIds: string): string => `
  update lead_index set
    status = case
      when l.erased_at is not null then 'erased'
      when l.quarantined_at is not null and l.released_at is null then 'quarantined'
      when d.id is null then 'duplicate'
      else coalesce(d.settled_as, 'owed') end,
    attempts = coalesce(d.attempts, 0),
    error = ${error},
    error_group = case when lead_index.error = ${error} then lead_index.error_group end,
    failed_at = case when ${error} is not null then t.started_at end
  from leads as l
    left join deliveries as d on d.lead_id = l.id
    left join attempts as t on t.id = (
      select a.id from attempts as a where a.delivery_id = d.id order by a.started_at desc, a.id desc limit 1)
  where lead_index.lead_id = l.id and l.id ${leadIds};`

const forget = `
  delete from lead_keys where lead_id = new.id;
  update lead_index set affiliate = null, state = null, verified = null where lead_id = new.id;
  ${makeRefreshSql('= new.id')}`

const statusOfNew = `case
  when erased_at is not null then 'erased'
  when quarantined_at is not null and released_at is null then 'quarantined'
  else 'duplicate' end`

/** Triggers of 0.2.0, which a new store lacks. */
const replaced = [
  ...['lead_arrived', 'leads_arrived', 'lead_released', 'lead_erased', 'lead_erased_ungrouped'],
  'delivery_changed',
]

function makeSqliteStatements(): readonly string[] {
  return [
    ...replaced.map((name) => `drop trigger if exists ${name}`),
    `create trigger lead_inserted after insert on leads
      when not exists (select 1 from lead_index where lead_id = new.id) begin
        insert into lead_index (lead_id, received_at, status, area, attempts)
          select id, received_at, ${statusOfNew}, area, 0 from leads where id = new.id;
        insert into leads_to_index (lead_id) values (new.id);
      end`,
    `create trigger lead_released after update of released_at on leads begin ${makeRefreshSql('= new.id')} end`,
    `create trigger lead_erased after update of erased_at on leads when new.erased_at is not null
      begin ${forget} end`,
    `create trigger delivery_inserted after insert on deliveries
      when (select status from lead_index where lead_id = new.lead_id) is not coalesce(new.settled_as, 'owed')
      begin ${makeRefreshSql('= new.lead_id')} end`,
    `create trigger delivery_changed after update of attempts, settled_as on deliveries
      when new.attempts <> old.attempts or new.settled_as is not old.settled_as
      begin ${makeRefreshSql('= new.lead_id')} end`,
  ]
}

function makePostgresStatements(): readonly string[] {
  const functions = {
    // The statement that inserts a lead also inserts its index row; the trigger runs after both.
    lead_inserted: `
      with added as (
        insert into lead_index (lead_id, received_at, status, area, attempts)
        select id, received_at, ${statusOfNew}, area, 0 from inserted order by id
        on conflict (lead_id) do nothing returning lead_id)
      insert into leads_to_index (lead_id) select lead_id from added;`,
    lead_released: makeRefreshSql('= new.id'),
    lead_erased: forget,
    delivery_inserted: `
      if exists (
        select from inserted inner join lead_index on lead_index.lead_id = inserted.lead_id
        where lead_index.status <> coalesce(inserted.settled_as, 'owed')
      ) then ${makeRefreshSql('in (select lead_id from inserted)')} end if;`,
    delivery_changed: makeRefreshSql('= new.lead_id'),
  }
  return [
    // Dropping a function with `cascade` drops its triggers, too.
    ...[...replaced, 'lead_changed'].map((name) => `drop function if exists ${name}() cascade`),
    ...Object.entries(functions).map(
      // PostgreSQL would keep using a plan with a full scan that it made while the table was empty.
      ([name, body]) => `create function ${name}() returns trigger language plpgsql
        set enable_seqscan = off as $$begin ${body} return null; end$$`,
    ),
    `create trigger lead_inserted after insert on leads referencing new table as inserted
      for each statement execute function lead_inserted()`,
    `create trigger lead_released after update of released_at on leads
      for each row execute function lead_released()`,
    `create trigger lead_erased after update of erased_at on leads
      for each row when (new.erased_at is not null) execute function lead_erased()`,
    `create trigger delivery_inserted after insert on deliveries referencing new table as inserted
      for each statement execute function delivery_inserted()`,
    `create trigger delivery_changed after update of attempts, settled_as on deliveries
      for each row when (new.attempts <> old.attempts or new.settled_as is distinct from old.settled_as)
      execute function delivery_changed()`,
  ]
}

/** Indexes failed leads, and changes that the previous release had recorded but not yet processed. */
const indexPending: readonly string[] = [
  'insert into lead_changes (lead_id) select lead_id from lead_index where error_group is not null',
  `insert into lead_index (lead_id, received_at, status, area, attempts)
    select id, received_at, 'owed', area, 0 from leads
    where id in (select lead_id from lead_changes) or id not in (select lead_id from lead_index)
    on conflict (lead_id) do nothing`,
  makeRefreshSql('in (select lead_id from lead_changes)'),
  `insert into leads_to_index (lead_id) select distinct lead_changes.lead_id from lead_changes
    inner join leads on leads.id = lead_changes.lead_id where leads.erased_at is null`,
  'delete from lead_changes',
]
