import { StoreUnavailableError } from '../../faults/database-errors.ts'

/** The names of the migrations of release 0.2.0, except the last. */
const migrationsOf020 = [
  '0001-leads-and-deliveries',
  '0002-delivery-gate',
  '0003-erased-leads',
  '0004-quarantine',
  '0005-retention',
  '0006-attempt-reasons',
  '0007-corrections',
  '0008-breaker-probes',
  '0009-who-was-not-taken-holds-nobody',
  '0010-moves-and-restores',
  '0011-answered-probes',
  '0012-operators',
  '0013-lead-index',
  '0014-jobs',
  '0015-delivery-history',
  '0016-quarantine-filters-and-exports',
  '0017-lead-news',
  '0018-kept-forms',
  '0020-acts-by-whom',
] as const
const lastOf020 = '0021-what-a-delivery-was-before'

/**
 * The migrations of release 0.2.0 by name. In an empty database, the last of these migrations creates the schema of
 * release 0.2.0, without the triggers that migration 0022 replaces. This version skips the migrations in a store of
 * release 0.2.0, and after a rollback release 0.2.0 can start on a store of this version.
 */
export const baselineMigrations: Readonly<Record<string, MakeStatements>> = {
  ...Object.fromEntries(migrationsOf020.map((name) => [name, () => []])),
  [lastOf020]: makeSchema,
}

/** Returns the SQL that a migration runs in a transaction, on PostgreSQL or SQLite. */
export type MakeStatements = (isPostgres: boolean) => readonly string[]

/**
 * @param done the names of the migrations that a store has run
 * @throws StoreUnavailableError if a version before 0.2.0 was the last to use the store
 */
export function assertBaselineReached(done: readonly string[]): void {
  if (done.length === 0 || done.includes(lastOf020)) return
  throw new StoreUnavailableError(
    'A version before 0.2.0 used this store last, and this version cannot read the store. Nothing was changed. Start ' +
      'version 0.2.0 on the store once, and then start this version.',
  )
}

function makeSchema(isPostgres: boolean): readonly string[] {
  return [
    ...tablesAndIndexes(isPostgres),
    ...(isPostgres ? postgresTriggers : sqliteTriggers),
    'insert into delivery_gate (id) values (1)',
  ]
}

function tablesAndIndexes(isPostgres: boolean): readonly string[] {
  const seq = isPostgres ? 'bigint generated always as identity primary key' : 'integer primary key'
  const now = isPostgres
    ? 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)'
    : "(cast(unixepoch('subsec') * 1000 as integer))"
  return [
    `create table leads (
      id text primary key, idempotency_key text not null unique, same_enquiry_hash text not null,
      received_at bigint not null, area text not null, email text not null,
      duplicate_of text references leads (id) on delete set null, payload text not null, erased_at bigint,
      signals text, quarantined_at bigint, released_at bigint, erased_by text,
      corrects text references leads (id) on delete set null deferrable initially deferred
    )`,
    `create index leads_newest on leads (received_at, id)`,
    `create table disclosures (hash text primary key, text text not null)`,
    `create table consents (
      lead_id text primary key references leads (id) on delete cascade,
      disclosure_hash text not null references disclosures (hash), agreed_at bigint not null,
      ip text not null, user_agent text not null, page_url text not null
    )`,
    `create table enquirers (
      same_enquiry_hash text primary key, lead_id text not null references leads (id) on delete cascade,
      received_at bigint not null
    )`,
    `create table deliveries (
      id text primary key, lead_id text not null unique references leads (id) on delete cascade,
      created_at bigint not null, attempts integer default 0 not null, next_at bigint not null, lease text,
      leased_until bigint, settled_as text, settled_at bigint, spared integer default 0 not null,
      unknown_attempts integer default 0 not null, possible_duplicates integer default 0 not null,
      waits_since bigint, settled_because text, lead_erased_at bigint, settled_by_hand_at bigint,
      restored_at bigint
    )`,
    `create index deliveries_due on deliveries (next_at, id) where settled_at is null`,
    `create table attempts (
      id text primary key, delivery_id text not null references deliveries (id) on delete cascade,
      started_at bigint not null, duration_ms bigint not null, outcome text not null, http_status integer,
      detail text, reason text, error_code text, retry_after_ms bigint
    )`,
    `create index attempts_of_delivery on attempts (delivery_id)`,
    `create table delivery_gate (
      id integer primary key, paused_by text, pause_reason text, paused_at bigint, outage_since bigint,
      failed_probes integer default 0 not null, probe text, probe_at bigint,
      refused_probes integer default 0 not null, akin_refused_probes integer default 0 not null,
      enough_refusals integer default 0 not null, patient_until bigint, repeat_at bigint,
      start_probe_at bigint, answered_probes integer default 0 not null
    )`,
    `create index deliveries_waiting on deliveries (waits_since)
      where settled_at is null and waits_since is not null`,
    `create index deliveries_settled_because on deliveries (settled_because)
      where settled_because is not null`,
    `create index deliveries_possibly_sent_twice on deliveries (possible_duplicates)
      where possible_duplicates > 0`,
    `create index attempts_by_outcome on attempts (outcome)`,
    `create index leads_erased on leads (received_at, id) where erased_at is not null`,
    `create index leads_duplicate on leads (received_at, id) where duplicate_of is not null`,
    `create index deliveries_by_standing on deliveries (settled_as, created_at, lead_id)`,
    `create table secrets (name text primary key, value text not null)`,
    `create index leads_erased_by on leads (erased_by) where erased_by is not null`,
    `create index deliveries_of_erased on deliveries (settled_as) where lead_erased_at is not null`,
    `create index leads_corrections on leads (corrects) where corrects is not null`,
    `create index leads_repeating on leads (duplicate_of) where duplicate_of is not null`,
    `create table moves (place text not null, moved_at bigint not null)`,
    `create index deliveries_restored on deliveries (created_at, lead_id)
      where restored_at is not null and settled_at is null`,
    `create table operators (
      id text primary key, email text not null unique, role text not null, created_at bigint not null,
      disabled_at bigint
    )`,
    `create table operator_credentials (
      id text primary key, operator_id text not null references operators (id), kind text not null,
      secret text not null, counter bigint default 0 not null, created_at bigint not null, used_at bigint
    )`,
    `create index operator_credentials_of on operator_credentials (operator_id, kind)`,
    `create table operator_links (
      code_hash text primary key, operator_id text not null references operators (id), purpose text not null,
      expires_at bigint not null
    )`,
    `create index operator_links_of on operator_links (operator_id, purpose)`,
    `create table operator_sessions (
      token_hash text primary key, id text not null unique,
      operator_id text not null references operators (id), began_at bigint not null, seen_at bigint not null,
      strong_at bigint not null, network text not null, browser text not null
    )`,
    `create index operator_sessions_of on operator_sessions (operator_id)`,
    `create table sign_in_failures (
      key text primary key, count integer not null, last_at bigint not null, free_at bigint not null
    )`,
    `create index sign_in_failures_last on sign_in_failures (last_at)`,
    `create table audit (
      id text primary key, at bigint not null, via text not null, operator_id text, "system_user" text,
      network text, action text not null, subject text, reason text
    )`,
    `create table audit_outcomes (audit_id text primary key references audit (id), outcome text not null)`,
    `create index audit_of_operator on audit (operator_id, id) where operator_id is not null`,
    `create index audit_of_action on audit (action, id)`,
    `create index audit_of_subject on audit (subject, id) where subject is not null`,
    `create table lead_changes (seq ${seq}, lead_id text not null, at bigint not null default ${now})`,
    `create table lead_index (
      lead_id text primary key, received_at bigint not null, status text not null, area text not null,
      program integer, affiliate text, state text, verified integer, attempts integer not null, error text,
      error_group text, failed_at bigint
    )`,
    `create index lead_index_newest on lead_index (received_at, lead_id)`,
    ...['status', 'area', 'program', 'affiliate', 'state', 'error', 'error_group'].map(
      (column) => `create index lead_index_${column} on lead_index (${column}, received_at, lead_id)
        where ${column} is not null`,
    ),
    `create table lead_keys (
      key text not null, received_at bigint not null, lead_id text not null,
      constraint lead_keys_key primary key (key, received_at, lead_id)
    )`,
    `create index lead_keys_of on lead_keys (lead_id)`,
    `create table lead_searches (
      id text primary key, operator_id text not null, keys text not null, created_at bigint not null
    )`,
    `create table saved_views (
      id text primary key, operator_id text not null, name text not null, query text not null,
      is_shared integer not null, created_at bigint not null
    )`,
    `create table jobs (
      id text primary key, action text not null, query text not null, is_of_search integer not null,
      search_keys text, operator_id text, "system_user" text, network text, phase text not null,
      planned_at bigint not null, plan text not null, reason text, rate integer not null, started_at bigint,
      reached_at bigint, reached_id text, members integer default 0 not null, done integer default 0 not null,
      report text default '{}' not null, running_since bigint, running_from integer default 0 not null,
      paused_at bigint, cancelled_at bigint, ended_at bigint, members_removed_at bigint, lease text,
      leased_until bigint
    )`,
    `create index jobs_under_way on jobs (id) where ended_at is null`,
    `create index jobs_with_members on jobs (ended_at) where members_removed_at is null`,
    `create table job_members (
      job_id text not null references jobs (id), position integer not null, lead_id text not null,
      outcome text, detail text, at bigint, constraint job_members_place primary key (job_id, position)
    )`,
    `create index job_members_outcome on job_members (job_id, outcome, position) where outcome is not null`,
    `create index job_members_of_lead on job_members (lead_id)`,
    `create table delivery_holds (
      id text primary key, kind text not null, reason text not null, began_at bigint not null,
      ended_at bigint, is_open integer not null, begun_by_operator text, begun_by_user text,
      ended_by_operator text, ended_by_user text, end_reason text, noticed_at bigint
    )`,
    `create index delivery_holds_newest on delivery_holds (began_at, id)`,
    `create table error_groups (id text primary key, error text not null, words text not null)`,
    `create index lead_index_failed on lead_index (error_group, status, failed_at, lead_id)
      where error_group is not null`,
    `create table delivery_rollups (
      from_at bigint primary key, delivered integer not null, rejected integer not null,
      failed integer not null, waits text not null, calls text not null, waiting integer, oldest_at bigint
    )`,
    `create table held_releases (
      lead_id text primary key, due_at bigint not null, operator_id text not null, audit_id text not null
    )`,
    `create table export_progress (
      id text primary key, operator_id text not null, began_at bigint not null, done integer not null,
      state text not null
    )`,
    `create index leads_in_quarantine on leads (received_at, id)
      where quarantined_at is not null and released_at is null and erased_at is null`,
    `create index lead_index_unverified on lead_index (received_at, lead_id) where verified = 0`,
    `create index lead_index_attempts on lead_index ((case when attempts = 0 then 0 when attempts < 5 then 2 when attempts < 20 then 5 else 20 end), received_at, lead_id)
      where attempts <> 1`,
    `create index audit_of_user on audit ("system_user", id) where "system_user" is not null`,
    `create table lead_news (seq ${seq}, leads text not null)`,
    `create table kept_forms (id_hash text primary key, sealed text not null, expires_at bigint not null)`,
    ...['operator_id', 'system_user', 'via'].map(
      (column) => `create index audit_${column}_did on audit (("${column}" || '|' || action), id)
        where "${column}" is not null`,
    ),
    `create index audit_via on audit (via, id)`,
    `create table delivery_endings (
      delivery_id text not null, settled_as text not null, settled_at bigint not null,
      is_by_hand integer not null, owed_again_at bigint not null,
      constraint delivery_endings_key primary key (delivery_id, owed_again_at)
    )`,
  ]
}

const appendOnly = 'the audit is append-only'
const auditTables = ['audit', 'audit_outcomes']

/** Returns the statements for triggers that refuse to change or remove rows of a table. */
export const makeAppendOnlyTriggers = (table: string, isPostgres: boolean): readonly string[] =>
  isPostgres
    ? [
        `create trigger ${table}_no_change before update or delete on ${table}
      for each row execute function refuse_change()`,
        `create trigger ${table}_no_truncate before truncate on ${table}
      for each statement execute function refuse_change()`,
      ]
    : ['update', 'delete'].map(
        (change) =>
          `create trigger ${table}_no_${change} before ${change} on ${table} begin select raise(abort, '${appendOnly}'); end`,
      )

interface RowTrigger {
  readonly name: string
  /** The event, such as `after insert on leads`. */
  readonly on: string
  /** A condition that both databases understand; SQLite has known `is distinct from` since 3.39. */
  readonly when: string
  readonly body: string
}

/** Returns SQL that creates a trigger, and on PostgreSQL its function, for each row that meets a condition. */
export const makeRowTrigger = (
  isPostgres: boolean,
  { name, on, when, body }: RowTrigger,
): readonly string[] =>
  isPostgres
    ? [
        // Without `enable_seqscan = off`, PostgreSQL would keep the full scan that it planned while the table was empty.
        `create function ${name}() returns trigger language plpgsql
          set enable_seqscan = off as $$begin ${body} return ${on.startsWith('before') ? 'new' : 'null'}; end$$`,
        `create trigger ${name} ${on} for each row when (${when}) execute function ${name}()`,
      ]
    : [`create trigger ${name} ${on} when ${when} begin ${body} end`]

const sqliteTriggers = auditTables.flatMap((table) => makeAppendOnlyTriggers(table, false))

const postgresTriggers: readonly string[] = [
  `create function refuse_change() returns trigger language plpgsql as
    $$begin raise exception '${appendOnly}'; end$$`,
  ...auditTables.flatMap((table) => makeAppendOnlyTriggers(table, true)),
]
