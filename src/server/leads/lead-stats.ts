import { type Kysely, sql } from 'kysely'
import { type AttemptOutcomeName, countedRejectionCauses } from '#domain/delivery/outcome.ts'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import type { IndexedStatus, StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { heldCondition, isHeldByCap } from './lead-status.ts'

/** The number of rows of one kind and name, such as 3 for the kind `status` and the name `dead`. */
type Count = { readonly kind: string; readonly name: string; readonly n: number }

/** Counts leads and attempts from indexes alone: joining a million leads with their deliveries would take seconds. */
export async function readLeadStats(db: Kysely<StoreTables>, now: number) {
  const [counts, oldest] = await Promise.all([readCounts(db, now), findOldestPending(db, now)])
  const countsOf = (kind: string) => counts.filter((count) => count.kind === kind)
  const total = (kind: string): number => countsOf(kind).reduce((sum, { n }) => sum + n, 0)
  const count = (kind: string, name: string): number =>
    countsOf(kind).find((found) => found.name === name)?.n ?? 0
  const ofStatus = (status: IndexedStatus): number => count('status', status)
  return {
    leads: total('status'),
    byStatus: {
      pending: ofStatus('owed') - total('leased'),
      leased: total('leased'),
      delivered: ofStatus('delivered'),
      rejected: ofStatus('rejected'),
      dead: ofStatus('dead'),
      'do-not-contact': ofStatus('do-not-contact'),
      duplicate: ofStatus('duplicate'),
      quarantined: ofStatus('quarantined'),
      erased: ofStatus('erased'),
    } satisfies Readonly<Record<LeadStatus, number>>,
    /** Pending, leased or dead leads that the distributor rejected before an operator retried them. */
    retriedRejections: total('retried'),
    /** The number of pending leads that a cap holds. */
    held: total('held'),
    /** Rejected leads that the distributor may accept next month, when its cap is reset. */
    rejectedByCap: count('because', 'cap'),
    /** Dead leads that were not sent because their stored data cannot be read. */
    unreadable: count('because', 'unreadable'),
    deliveredThenErased: count('erased', 'delivered'),
    erasedBy: {
      request: count('erased by', 'request'),
      retention: count('erased by', 'retention'),
    },
    /** Accepted leads that the distributor has returned. */
    returned: total('returned'),
    /** Notifications of the last 90 days. `ended` counts notifications that were given up or never sent. */
    notifications: {
      waiting: total('waiting'),
      sent: total('sent'),
      ended: total('notifications') - total('waiting') - total('sent'),
    },
    attempts: total('attempts'),
    /** Outcomes without attempts are absent. */
    attemptsByOutcome: Object.fromEntries(
      countsOf('attempts').map(({ name, n }) => [name, n]),
    ) as Readonly<Partial<Record<AttemptOutcomeName, number>>>,
    /** Attempts that followed an unknown result: the distributor may have this many duplicates. */
    duplicatesPossiblySent: total('possible duplicates'),
    /** The age of the oldest pending delivery that no cap holds, in milliseconds; null if there is none. */
    oldestPendingAgeMs: oldest === undefined ? null : Math.max(0, now - oldest.created_at),
  }
}

export type LeadStats = Awaited<ReturnType<typeof readLeadStats>>

/** Reads all counts in one statement, so that they describe a single moment. */
async function readCounts(db: Kysely<StoreTables>, now: number): Promise<readonly Count[]> {
  const { rows } = await sql<Count>`
    select 'status' as kind, status as name, count(*) as n from lead_index
      where status is not null group by status
    union all select 'retried', '', (select count(*) from lead_index
      where rejected_because in (${sql.join(countedRejectionCauses)}))
      - (select count(*) from lead_index where status = 'rejected')
    union all select 'leased', '', count(*) from deliveries
      where settled_at is null and leased_until > ${now} and lead_erased_at is null
    union all select 'because', settled_because, count(*) from deliveries
      where settled_because is not null and lead_erased_at is null group by settled_because
    union all select 'held', '', count(*) from held_deliveries
      inner join deliveries on deliveries.id = held_deliveries.delivery_id where ${heldCondition}
    union all select 'possible duplicates', '', coalesce(sum(possible_duplicates), 0) from deliveries
      where possible_duplicates > 0
    union all select 'erased', settled_as, count(*) from deliveries
      where lead_erased_at is not null group by settled_as
    union all select 'erased by', erased_by, count(*) from leads
      where erased_by is not null group by erased_by
    union all select 'returned', '', count(*) from returns
    union all select 'notifications', '', count(*) from notifications
    union all select 'waiting', '', count(*) from notifications where settled_at is null
    union all select 'sent', '', count(*) from notifications where settled_as = 'delivered'
    union all select 'attempts', outcome, count(*) from attempts group by outcome`.execute(db)
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}

function findOldestPending(db: Kysely<StoreTables>, now: number) {
  return db
    .selectFrom('deliveries')
    .select('created_at')
    .where('settled_as', 'is', null)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .where(({ not }) => not(isHeldByCap))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}
