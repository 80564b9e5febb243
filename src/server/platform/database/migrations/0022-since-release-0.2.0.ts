import { randomBytes } from 'node:crypto'
import { makeAppendOnlyTriggers } from './baseline-migrations.ts'

/**
 * Brings the schema of release 0.2.0 up to date.
 *
 * Triggers update the lead index in the transaction that changes a lead or its delivery, so that release 0.2.0 can run
 * beside this version without leaving stale rows. This version inserts an index row with each lead. A lead that release
 * 0.2.0 stores gets an index row with its status at once, and waits in `leads_to_index` for the columns that only code
 * can fill. The migration also deletes console forms, which release 0.2.0 kept while operators confirmed their
 * identity. The migration indexes failed leads again, because release 0.2.0 made the ids of error groups from plain
 * hashes of the distributor's responses, and leads with an affiliate, because only code can change the case of every
 * letter on SQLite, and find personal data in a value.
 */
export const sinceRelease020 = (isPostgres: boolean): readonly string[] => [
  `insert into secrets (name, value) values ('lead keys', '${randomBytes(32).toString('base64url')}')
    on conflict (name) do nothing`,
  // Release 0.2.0 locks leads before their index rows. In the other order, the migration and 0.2.0 could wait for each
  // other.
  ...(isPostgres ? ['lock table leads, deliveries, lead_index'] : []),
  ...makeTables(isPostgres),
  ...(isPostgres ? makePostgresStatements() : makeSqliteStatements()),
  ...indexPending,
  ...fillRejections,
  'delete from kept_forms',
]

/** The columns by which filters find affiliates, sources and campaigns in any case. */
const originKeys = ['affiliate_key', 'source_key', 'campaign_key']

const makeTables = (isPostgres: boolean): readonly string[] => [
  'create table leads_to_index (lead_id text primary key)',
  // PostgreSQL has statistics of columns, but not of partial indexes' expressions, so the origins in lower case have
  // columns of their own.
  ...['source', 'campaign', ...originKeys, 'rejected_because'].flatMap((column) => [
    `alter table lead_index add column ${column} text`,
    `create index lead_index_${column} on lead_index (${column}, received_at, lead_id) where ${column} is not null`,
  ]),
  'alter table lead_index add column device text',
  'alter table lead_index add column returned_at bigint',
  'create index lead_index_returned on lead_index (received_at, lead_id) where returned_at is not null',
  'alter table lead_index add column personal_origins integer',
  `create table visits (
    id text primary key, began_at bigint not null, seen_at bigint not null, area text not null,
    device text not null, program integer, source text, campaign text, affiliate text,
    progress text not null, folded_at bigint
  )`,
  'create index visits_open on visits (seen_at) where folded_at is null',
  // Without rowids, SQLite keeps counts in the order of their key, and reads a period without looking up each row.
  `create table funnel_counts (
    scope text not null, from_at bigint not null, group_id bigint not null, area text, source text,
    campaign text, affiliate text, device text, program integer, seen bigint not null,
    started bigint not null, details text not null, primary key (scope, from_at, group_id)
  ) ${isPostgres ? '' : 'without rowid'}`,
  `create table affiliates (
    id text primary key, name text not null unique, notes text not null, payout_cents integer,
    postback_url text, created_at bigint not null
  )`,
  'create table affiliate_ids (affid text primary key, affiliate_id text not null)',
  'create index affiliate_ids_affiliate on affiliate_ids (affiliate_id)',
  // The same code serves both queues, so `notifications` repeats the queue columns of `deliveries`, and
  // `notification_gates` repeats `delivery_gate`.
  `create table webhooks (
    id text primary key, url text not null, events text not null, sends_personal_data integer not null,
    secret text not null, created_at bigint not null
  )`,
  `create table notifications (
    id text primary key, kind text not null, destination text not null, subject text not null,
    lead_id text references leads (id) on delete cascade, event text not null, event_at bigint not null,
    event_reason text, created_at bigint not null, attempts integer default 0 not null, next_at bigint not null,
    lease text, leased_until bigint, tried_at bigint, settled_as text, settled_at bigint, settled_because text,
    spared integer default 0 not null, waits_since bigint, unknown_attempts integer default 0 not null,
    possible_duplicates integer default 0 not null, http_status integer, error text, reply text
  )`,
  'create unique index notifications_once on notifications (kind, destination, subject)',
  `create index notifications_due on notifications (kind, destination, next_at, id)
    where settled_at is null`,
  'create index notifications_newest on notifications (kind, destination, created_at)',
  `create index notifications_sent on notifications (kind, destination, settled_at)
    where settled_as = 'delivered'`,
  'create index notifications_of_lead on notifications (lead_id)',
  'create index notifications_settled on notifications (settled_at) where settled_at is not null',
  `create table notification_gates (
    id text primary key, paused_by text, pause_reason text, paused_at bigint, outage_since bigint,
    failed_probes integer default 0 not null, refused_probes integer default 0 not null,
    akin_refused_probes integer default 0 not null, answered_probes integer default 0 not null, probe text,
    probe_at bigint, repeat_at bigint, start_probe_at bigint
  )`,
  `create table caps (
    id text primary key, program integer, affiliate_id text, state text, max_leads integer,
    period text not null, opens_at integer, closes_at integer, blocked_states text not null,
    follows_distributor integer not null, full_since bigint, created_at bigint not null
  )`,
  `create table cap_uses (
    cap_id text not null references caps (id) on delete cascade, period text not null,
    delivery_id text not null references deliveries (id) on delete cascade, used_at bigint not null,
    primary key (cap_id, period, delivery_id)
  )`,
  'create index cap_uses_of_delivery on cap_uses (delivery_id)',
  `create table held_deliveries (
    delivery_id text primary key references deliveries (id) on delete cascade,
    cap_id text not null references caps (id) on delete cascade, until_at bigint not null,
    because text not null
  )`,
  'create index held_deliveries_of_cap on held_deliveries (cap_id)',
  `create table returns (
    lead_id text primary key references leads (id) on delete cascade, returned_at bigint not null, reason text,
    imported_at bigint not null
  )`,
  'create index returns_imported on returns (imported_at)',
  'create table return_columns (field text primary key, heading text not null)',
  `create table alert_state (
    id integer primary key, holder text not null, held_until bigint not null, told text not null
  )`,
  `create table audit_changes (
    audit_id text primary key references audit (id), target text, changes text not null
  )`,
  ...makeAppendOnlyTriggers('audit_changes', isPostgres),
  `create table clock_differences (
    server text primary key, ahead_ms bigint not null, seen_at bigint not null
  )`,
  'create table store_mode (mode text not null)',
]

/** How the last attempt failed, in one word; null for a delivered lead and for an erased lead. */
const error = `case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end`

/**
 * Returns SQL that updates the index rows of some leads. The leads' condition is `= new.id` or `in (select …)`. A
 * rejected lead counts as rejected until the distributor answers again, whatever an operator does meanwhile.
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
    failed_at = case when ${error} is not null then t.started_at end,
    rejected_because = case
      when l.erased_at is not null or d.settled_as = 'delivered' then null
      when d.settled_as = 'rejected' then coalesce(d.settled_because, 'rejected')
      else lead_index.rejected_because end
  from leads as l
    left join deliveries as d on d.lead_id = l.id
    left join attempts as t on t.id = (
      select a.id from attempts as a where a.delivery_id = d.id order by a.started_at desc, a.id desc limit 1)
  where lead_index.lead_id = l.id and l.id ${leadIds};`

/** Ends the notifications of an erased lead, and removes replies and reasons, which may quote the person. */
const forget = `
  delete from lead_keys where lead_id = new.id;
  update lead_index set affiliate = null, source = null, campaign = null, state = null, verified = null,
    ${originKeys.map((column) => `${column} = null`).join(', ')}, personal_origins = null
    where lead_id = new.id;
  update returns set reason = null where lead_id = new.id;
  update notifications set
    reply = null, lease = null, settled_at = coalesce(settled_at, new.erased_at),
    settled_because = case when settled_at is null then 'erased' else settled_because end,
    settled_as = coalesce(settled_as, 'dead')
  where lead_id = new.id;
  ${makeRefreshSql('= new.id')}`

const statusOfNew = `case
  when erased_at is not null then 'erased'
  when quarantined_at is not null and released_at is null then 'quarantined'
  else 'duplicate' end`

/** The triggers of release 0.2.0, which a new store does not have. */
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
    // This version inserts a lead and its index row in one statement, and the trigger runs afterwards.
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
      // Without `enable_seqscan = off`, PostgreSQL would keep the full scan that it planned while the table was empty.
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

/** Indexes failed leads again, and the changes that release 0.2.0 has recorded but not indexed. */
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
  'update lead_index set affiliate_key = lower(affiliate) where affiliate is not null',
  `insert into leads_to_index (lead_id) select lead_id from lead_index where affiliate is not null
    on conflict do nothing`,
]

/** A lead that waits or failed after a rejection was retried. An operator can't retry a lead settled as accepted. */
const wasRetried = `status in ('owed', 'dead') and rejected_because is null`

const fillRejections: readonly string[] = [
  `update lead_index set rejected_because = coalesce(
    (select settled_because from deliveries where deliveries.lead_id = lead_index.lead_id), 'rejected')
    where status = 'rejected'`,
  `update lead_index set rejected_because = (
    select coalesce(attempts.reason, attempts.outcome) from deliveries
      inner join attempts on attempts.delivery_id = deliveries.id
      where deliveries.lead_id = lead_index.lead_id and attempts.outcome = 'rejected'
      order by attempts.started_at desc, attempts.id desc limit 1)
    where attempts > 0 and ${wasRetried}`,
  `update lead_index set rejected_because = 'rejected'
    where ${wasRetried} and exists (
      select 1 from deliveries
      where deliveries.lead_id = lead_index.lead_id and settled_by_hand_at is not null)`,
]
