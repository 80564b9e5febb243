import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the webhooks, and the outbox of notifications with a circuit breaker for each destination. `notifications` has
 * the columns of `deliveries` that the queue uses, and `notification_gates` those of `delivery_gate`. Triggers end the
 * notifications of a lead, and remove replies that may quote it, when either release erases the lead.
 */
export const notifications: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
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
    ]
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    const triggers = isPostgres ? onPostgres : onSqlite
    for (const statement of [...statements, ...triggers]) await sql.raw(statement).execute(db)
  },
}

const forget = `update notifications set
    reply = null, lease = null, settled_at = coalesce(settled_at, new.erased_at),
    settled_because = case when settled_at is null then 'erased' else settled_because end,
    settled_as = coalesce(settled_as, 'dead')
  where lead_id = new.id;`

const onSqlite = [
  `create trigger notifications_erased after update of erased_at on leads
    when new.erased_at is not null begin ${forget} end`,
]

const onPostgres = [
  `create function notifications_erased() returns trigger language plpgsql
    set enable_seqscan = off as $$begin ${forget} return null; end$$`,
  `create trigger notifications_erased after update of erased_at on leads
    for each row when (new.erased_at is not null) execute function notifications_erased()`,
]
