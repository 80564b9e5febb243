import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { IndexedStatus, StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadStats } from './read-leads.ts'

type Count = { readonly what: string; readonly name: string; readonly n: number }

/** Counts leads and attempts from indexes alone: joining a million leads with their deliveries would take seconds. */
export async function countLeads(db: Kysely<StoreTables>, now: number): Promise<LeadStats> {
  const [counts, oldest] = await Promise.all([readCounts(db, now), findOldest(db, now)])
  const countsOf = (what: string) => counts.filter((count) => count.what === what)
  const total = (what: string): number => countsOf(what).reduce((sum, { n }) => sum + n, 0)
  const count = (what: string, name: string): number =>
    countsOf(what).find((found) => found.name === name)?.n ?? 0
  const ofStatus = (status: IndexedStatus): number => count('status', status)
  return {
    leads: total('status'),
    byStatus: {
      pending: ofStatus('owed') - total('leased'),
      leased: total('leased'),
      delivered: ofStatus('delivered'),
      rejected: ofStatus('rejected'),
      dead: ofStatus('dead'),
      duplicate: ofStatus('duplicate'),
      quarantined: ofStatus('quarantined'),
      erased: ofStatus('erased'),
    },
    rejectedByCap: count('because', 'cap'),
    unreadable: count('because', 'unreadable'),
    deliveredThenErased: count('erased', 'delivered'),
    erasedBy: {
      request: count('erased by', 'request'),
      retention: count('erased by', 'retention'),
    },
    attempts: total('attempts'),
    attemptsByOutcome: Object.fromEntries(countsOf('attempts').map(({ name, n }) => [name, n])),
    duplicatesPossiblySent: total('doubles'),
    oldestPendingAgeMs: oldest === undefined ? null : now - oldest.created_at,
  }
}

/** Reads all counts in one statement, so that they describe a single moment. */
function readCounts(db: Kysely<StoreTables>, now: number): Promise<readonly Count[]> {
  const deliveries = db.selectFrom('deliveries')
  return (
    db
      .selectFrom('lead_index')
      .select(counted('status', sql.ref('status')))
      // The index of statuses is partial, so the query must repeat its condition.
      .where('status', 'is not', null)
      .groupBy('status')
      .unionAll(
        deliveries
          .select(counted('leased'))
          .where('settled_at', 'is', null)
          .where('leased_until', '>', now)
          .where('lead_erased_at', 'is', null),
      )
      .unionAll(
        deliveries
          .select(counted('because', sql.ref('settled_because')))
          .where('settled_because', 'is not', null)
          .where('lead_erased_at', 'is', null)
          .groupBy('settled_because'),
      )
      .unionAll(
        deliveries
          .select(counted('doubles', noName, sql`coalesce(sum(possible_duplicates), 0)`))
          .where('possible_duplicates', '>', 0),
      )
      .unionAll(
        deliveries
          .select(counted('erased', sql.ref('settled_as')))
          .where('lead_erased_at', 'is not', null)
          .groupBy('settled_as'),
      )
      .unionAll(
        db
          .selectFrom('leads')
          .select(counted('erased by', sql.ref('erased_by')))
          .where('erased_by', 'is not', null)
          .groupBy('erased_by'),
      )
      .unionAll(
        db
          .selectFrom('attempts')
          .select(counted('attempts', sql.ref('outcome')))
          .groupBy('outcome'),
      )
      .execute()
  )
}

const noName: RawBuilder<string> = sql`''`

function counted(what: string, name = noName, n: RawBuilder<number> = sql`count(*)`) {
  return [
    sql.lit(what).as('what'),
    sql<string>`${name}`.as('name'),
    sql<number>`${n}`.as('n'),
  ] as const
}

function findOldest(db: Kysely<StoreTables>, now: number) {
  return db
    .selectFrom('deliveries')
    .select('created_at')
    .where('settled_as', 'is', null)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}
