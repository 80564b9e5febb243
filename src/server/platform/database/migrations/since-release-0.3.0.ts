import { randomBytes } from 'node:crypto'
import { idEndPosition } from '#domain/lead/reference.ts'
import { makeLedgerStatements } from './0032-lead-ledger.ts'
import {
  type MakeStatements,
  makeAppendOnlyTriggers,
  makeRowTrigger,
} from './baseline-migrations.ts'

export const sinceRelease030: Readonly<Record<string, MakeStatements>> = {
  // The index finds the affiliate of a lead whose affiliate id is written in another case.
  '0029-affiliates-in-any-case': () => [
    'create index affiliate_ids_any_case on affiliate_ids (lower(affid))',
  ],
  // Lets the store refuse a lead whose reference another lead has. Leads of earlier releases, which may share
  // references, have none in the column: see `find-references.ts`.
  '0030-references': () => [
    'alter table leads add column reference text',
    'create unique index leads_reference on leads (reference)',
    `create index leads_id_end on leads (substr(id, ${idEndPosition})) where reference is null`,
    'create table shown_disclosures (id text primary key, text text not null)',
  ],
  // Remembers in whose days visits were counted. Until this release, days began at midnight UTC.
  '0031-counted-zones': () => [
    'create table counted_zones (began_at bigint primary key not null, zone text not null)',
    "insert into counted_zones (began_at, zone) select 0, 'UTC' where exists (select 1 from funnel_counts)",
  ],
  '0032-lead-ledger': makeLedgerStatements,
  // Nobody can change the numbers of a closed statement.
  '0033-statements-and-spend': (isPostgres) => [
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
  ],
  '0034-stopped-affiliates': () => [
    'alter table affiliates add column stopped_at bigint',
    'alter table affiliates add column stop_reason text',
  ],
  '0035-do-not-contact': () => [
    'create table do_not_contact (key text primary key, listed_at bigint not null)',
    `create table sent_before_stop (
        lead_id text primary key references leads (id) on delete cascade, stopped_at bigint not null
      )`,
    'create index sent_before_stop_newest on sent_before_stop (stopped_at)',
    `insert into secrets (name, value)
        values ('do not contact', '${randomBytes(32).toString('base64url')}')`,
  ],
  // Lets the funnel count leads by medium and content. Code fills the columns of earlier leads, because only code
  // finds personal data in a value, and of the leads that the previous release stores beside this one.
  '0036-leads-by-medium': (isPostgres) => [
    ...mediumColumns.map((column) => `alter table lead_index add column ${column} text`),
    ...['medium_key', 'content_key'].map(
      (column) =>
        `create index lead_index_${column} on lead_index (${column}, received_at, lead_id) where ${column} is not null`,
    ),
    `insert into leads_to_index (lead_id) select id from leads
        where erased_at is null and ${isNamed('payload')} on conflict do nothing`,
    ...makeRowTrigger(isPostgres, {
      name: 'lead_medium_erased',
      on: 'after update of erased_at on leads',
      when: 'new.erased_at is not null',
      body: `update lead_index set ${mediumColumns.map((column) => `${column} = null`).join(', ')}
          where lead_id = new.id;`,
    }),
    // A lead that a release before 0.3.0 stores has no index row yet: the trigger `lead_inserted` queues it.
    ...makeRowTrigger(isPostgres, {
      name: 'lead_medium_inserted',
      on: 'after insert on leads',
      when: isNamed('new.payload'),
      body: `insert into leads_to_index (lead_id) select lead_id from lead_index
          where lead_id = new.id and medium_key is null and content_key is null on conflict do nothing;`,
    }),
  ],
  // A cap of an earlier release has no weekdays and holidays, and so sends leads every day.
  '0037-days-of-caps': () =>
    ['weekdays', 'holidays'].map(
      (column) => `alter table caps add column ${column} text not null default ''`,
    ),
  // Lets operators remove a payout or revenue with which no lead was accepted: the statement that deletes it checks
  // that. The ledger, which says what counts, stays append-only.
  '0038-unused-values': (isPostgres) =>
    ['payouts', 'revenues'].flatMap((table) =>
      isPostgres
        ? [
            `drop trigger ${table}_no_change on ${table}`,
            `create trigger ${table}_no_change before update on ${table}
                for each row execute function refuse_change()`,
          ]
        : [`drop trigger ${table}_no_delete`],
    ),
  // Keeps which listing a release overrode, because times don't say which of two events of one millisecond came
  // first, and who told the receivers of a lead that its person asked not to be contacted.
  '0039-stops-told': () => [
    'alter table leads add column released_despite bigint',
    'alter table sent_before_stop add column told_at bigint',
    'alter table sent_before_stop add column told_by text',
  ],
}

const mediumColumns = ['medium', 'content', 'medium_key', 'content_key']

/** Whether a lead's last touch has a medium or a content, which the columns lack until code has read the lead. */
const isNamed = (payload: string): string =>
  `(${payload} like '%"last":{%"utm_medium":%' or ${payload} like '%"last":{%"utm_content":%')`
