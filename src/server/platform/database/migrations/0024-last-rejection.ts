import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Keeps the distributor's last rejection in the lead index, so that a rejected lead counts as rejected until the
 * distributor answers again, whatever an operator does meanwhile. Triggers write the column, because release 0.2.0 may
 * settle deliveries beside this version.
 */
export const migrationLastRejection: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    const statements = [
      // In the same order as migration 0022, so that no transaction and this migration wait for each other.
      ...(isPostgres ? ['lock table leads, deliveries, lead_index'] : []),
      'alter table lead_index add column rejected_because text',
      ...fillColumn,
      `create index lead_index_rejected on lead_index (rejected_because, received_at, lead_id)
        where rejected_because is not null`,
      ...Object.entries(triggers).flatMap(([name, { event, when, body }]) =>
        isPostgres
          ? [
              `create function ${name}() returns trigger language plpgsql
                as $$begin ${body}; return null; end$$`,
              `create trigger ${name} after ${event} for each row when (${when}) execute function ${name}()`,
            ]
          : [`create trigger ${name} after ${event} when ${when} begin ${body}; end`],
      ),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

// The last condition spares an accepted lead a second update of its index row.
const keepAnswer = `update lead_index set
  rejected_because = case when new.settled_as = 'rejected' then coalesce(new.settled_because, 'rejected') end
  where lead_id = new.lead_id and (new.settled_as = 'rejected' or rejected_because is not null)`

const triggers = {
  rejected_delivery_inserted: {
    event: 'insert on deliveries',
    when: `new.settled_as = 'rejected'`,
    body: keepAnswer,
  },
  delivery_answered: {
    event: 'update of settled_as on deliveries',
    when: `new.settled_as is distinct from old.settled_as and new.settled_as in ('delivered', 'rejected')`,
    body: keepAnswer,
  },
  rejected_lead_erased: {
    event: 'update of erased_at on leads',
    when: 'new.erased_at is not null',
    body: `update lead_index set rejected_because = null
      where lead_id = new.id and rejected_because is not null`,
  },
}

/** A lead that waits or failed after a rejection was retried. An operator can't retry a lead settled as accepted. */
const wasRetried = `status in ('owed', 'dead') and rejected_because is null`

const fillColumn: readonly string[] = [
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
