import { makeAppendOnlyTriggers, makeRowTrigger } from './baseline-migrations.ts'

/**
 * Adds payouts and revenue that count from a day on, and the ledger of what each lead earns and costs.
 *
 * Triggers write the ledger in the transaction that settles a lead or records its return, so that no place in the code
 * can forget it, and the previous release, which may run beside this one, fills it, too. Leads that were accepted
 * before get today's payout, which becomes each affiliate's payout from the beginning.
 */
export const makeLedgerStatements = (isPostgres: boolean): readonly string[] => [
  ...(isPostgres ? ['lock table leads, deliveries, lead_index'] : []),
  ...tables,
  `insert into payouts (id, affiliate_id, from_day, from_at, amount_cents)
    select id, id, 0, 0, payout_cents from affiliates where payout_cents is not null`,
  makeAcceptedSql(''),
  makeReturnedSql(''),
  ...['payouts', 'revenues'].flatMap((table) => makeAppendOnlyTriggers(table, isPostgres)),
  ...triggers.flatMap((trigger) => makeRowTrigger(isPostgres, trigger)),
  ...(isPostgres ? postgresRefusals : sqliteRefusals),
]

const datedColumns = `from_day bigint not null, from_at bigint not null, amount_cents integer,
  set_at bigint, operator_id text, "system_user" text`

const tables: readonly string[] = [
  'alter table lead_index add column kept_affiliate_id text',
  `create table payouts (id text primary key, affiliate_id text not null, program integer, ${datedColumns})`,
  'create unique index payouts_once on payouts (affiliate_id, coalesce(program, -1), from_day)',
  `create table revenues (id text primary key, program integer, ${datedColumns})`,
  'create unique index revenues_once on revenues (coalesce(program, -1), from_day)',
  `create table lead_ledger (
    lead_id text not null, kind text not null, at bigint not null, affiliate_id text, program integer,
    payout_cents integer, revenue_cents integer, statement_id text, primary key (lead_id, kind)
  )`,
  // Sums read these indexes alone: with a million entries, a year by affiliate takes 0.2 s instead of 2 s.
  'create index lead_ledger_at on lead_ledger (at, kind, payout_cents, revenue_cents)',
  'create index lead_ledger_affiliate on lead_ledger (affiliate_id, at, kind, payout_cents, revenue_cents)',
  'create index lead_ledger_statement on lead_ledger (statement_id) where statement_id is not null',
]

/** The affiliate of a row in `lead_index`, as `affiliateOfLead` finds it, and as an erasure has kept it. */
const affiliateOf = (row: string) => `coalesce(${row}.kept_affiliate_id, (
  select affiliate_id from affiliate_ids
  where affid in (${row}.affiliate, ${row}.affiliate_key) or lower(affid) = ${row}.affiliate_key
  order by case when affid = ${row}.affiliate then 0 else 1 end, affid limit 1))`

/** The value that counts at a lead's acceptance: the program's own one, otherwise the one of all programs. */
const makeValueSql = (table: string, condition: string): string => {
  const find = (program: string) => `(select amount_cents from ${table} as found
    where ${condition} and program ${program} and from_at <= lead.at order by from_at desc limit 1)`
  return `coalesce(${find('= lead.program')}, ${find('is null')})`
}

/**
 * Makes an entry for each accepted lead among some, unless it has one. A stopped affiliate gets nothing for its leads,
 * even if an operator releases one.
 * @param leads a condition, or empty for all
 */
const makeAcceptedSql = (leads: string): string => `
  insert into lead_ledger (lead_id, kind, at, affiliate_id, program, payout_cents, revenue_cents)
  select lead.lead_id, 'accepted', lead.at, lead.affiliate_id, lead.program,
    case when lead.is_unpaid then 0
      else ${makeValueSql('payouts', 'found.affiliate_id = lead.affiliate_id')} end,
    ${makeValueSql('revenues', '1 = 1')}
  from (
    select indexed.lead_id, indexed.program, deliveries.settled_at as at, ${affiliateOf('indexed')} as affiliate_id,
      coalesce(leads.signals, '') like '%"affiliate-stopped"%' as is_unpaid
    from deliveries inner join lead_index as indexed on indexed.lead_id = deliveries.lead_id
      inner join leads on leads.id = deliveries.lead_id
    where deliveries.settled_as = 'delivered' ${leads && `and deliveries.lead_id ${leads}`}
  ) as lead
  where not exists (select 1 from lead_ledger as known where known.lead_id = lead.lead_id and known.kind = 'accepted');`

/** Makes an entry for each returned lead among some, unless it has one. */
const makeReturnedSql = (leads: string): string => `
  insert into lead_ledger (lead_id, kind, at, affiliate_id, program, payout_cents, revenue_cents)
  select accepted.lead_id, 'returned', returns.imported_at, accepted.affiliate_id, accepted.program,
    -accepted.payout_cents, -accepted.revenue_cents
  from returns inner join lead_ledger as accepted
    on accepted.lead_id = returns.lead_id and accepted.kind = 'accepted'
  where ${leads && `returns.lead_id ${leads} and`} not exists (
    select 1 from lead_ledger as known where known.lead_id = returns.lead_id and known.kind = 'returned');`

/** An erasure removes the affiliate id of the link, but the affiliate may still be owed for the lead. */
const keepAffiliate = `update lead_index set kept_affiliate_id = ${affiliateOf('lead_index')}
  where lead_id = new.id and affiliate_key is not null;`

const isAccepted = "new.settled_as = 'delivered'"

const triggers = [
  {
    name: 'lead_erasing',
    on: 'before update of erased_at on leads',
    when: 'new.erased_at is not null',
    body: keepAffiliate,
  },
  {
    name: 'delivery_accepted',
    on: 'after update of settled_as on deliveries',
    when: `${isAccepted} and old.settled_as is distinct from 'delivered'`,
    body: makeAcceptedSql('= new.lead_id'),
  },
  {
    name: 'delivery_came_accepted',
    on: 'after insert on deliveries',
    when: isAccepted,
    body: makeAcceptedSql('= new.lead_id'),
  },
  {
    name: 'lead_returned',
    on: 'after insert on returns',
    when: '1 = 1',
    body: makeReturnedSql('= new.lead_id'),
  },
]

/** The only change that the ledger allows is the one that closes a statement. */
const refused = [
  ['lead_ledger_no_delete', 'delete', '1 = 1'],
  [
    'lead_ledger_no_update',
    'update of lead_id, kind, at, affiliate_id, program, payout_cents, revenue_cents',
    '1 = 1',
  ],
  ['lead_ledger_closed', 'update of statement_id', 'old.statement_id is not null'],
] as const

const sqliteRefusals = refused.map(
  ([name, event, when]) => `create trigger ${name} before ${event} on lead_ledger when ${when}
    begin select raise(abort, 'the ledger is append-only'); end`,
)

const postgresRefusals = [
  ...refused.map(
    ([name, event, when]) => `create trigger ${name} before ${event} on lead_ledger
      for each row when (${when}) execute function refuse_change()`,
  ),
  `create trigger lead_ledger_no_truncate before truncate on lead_ledger
    for each statement execute function refuse_change()`,
]
