import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  endedKinds,
  type LeadRetention,
  type OverTime,
  type RetentionFound,
  type RetentionSearch,
} from '../../retention/retain-leads.ts'
import { eraseExpiredLeads } from './erase-old-leads.ts'

type Database = Pick<LeadDatabase, 'patient' | 'run' | 'wipe'>

export function makeLeadRetention({ patient: db, run, wipe }: Database): LeadRetention {
  return {
    count: (limits) => retryConflicts(() => countOverTime(db, limits)),
    findLeads: (search) => retryConflicts(() => findLeads(db, search)),
    eraseLeads: (order) => retryConflicts(() => run(eraseExpiredLeads, order)),
    findConsents: (search) => retryConflicts(() => findConsents(db, search)),
    removeConsents: (ids) => retryConflicts(() => removeConsents(db, ids)),
    wipe,
  }
}

const selectOld = (db: Kysely<StoreTables>, before: number) =>
  db
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .where('leads.received_at', '<', before)

/** A delivery that is settled, or none at all: the lead is owed to nobody. */
const owesNothing = sql<boolean>`(deliveries.id is null or deliveries.settled_as is not null)`

async function countOverTime(
  db: Kysely<StoreTables>,
  { leadsBefore, consentsBefore }: Parameters<LeadRetention['count']>[0],
): Promise<OverTime> {
  const rows = await selectOld(db, leadsBefore)
    .where('leads.erased_at', 'is', null)
    .select([
      sql<string>`case when deliveries.id is null then 'not owed' else coalesce(settled_as, 'owed') end`.as(
        'kind',
      ),
      sql<number>`count(*)`.as('n'),
    ])
    .groupBy('kind')
    .execute()
  const count = (kind: string): number => rows.find((row) => row.kind === kind)?.n ?? 0
  const { n: consents } = await db
    .selectFrom('consents')
    .innerJoin('leads', 'leads.id', 'consents.lead_id')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .where('leads.received_at', '<', consentsBefore)
    .where((eb) => eb.or([eb('leads.erased_at', 'is not', null), owesNothing]))
    .select(sql<number>`count(*)`.as('n'))
    .executeTakeFirstOrThrow()
  return {
    leads: Object.fromEntries(endedKinds.map((kind) => [kind, count(kind)])) as OverTime['leads'],
    stillOwed: count('owed'),
    consents,
  }
}

/** Continues by key. */
const isBeyond = (eb: ExpressionBuilder<StoreTables, 'leads'>, after: RetentionSearch['after']) =>
  after === undefined
    ? eb.and([])
    : eb(eb.refTuple('leads.received_at', 'leads.id'), '>', eb.tuple(after.receivedAt, after.id))

/**
 * So many rows are looked at in one search: what is erased already, or still owed, is passed over at the same cost as
 * what is found. On SQLite all reads take turns, a monitor's question among them: 2 ms.
 */
const lookedAt = 500

async function findLeads(
  db: Kysely<StoreTables>,
  { before, after }: RetentionSearch,
): Promise<RetentionFound> {
  const rows = await selectOld(db, before)
    .select(['leads.id', 'leads.received_at'])
    .select(asNumber(sql`leads.erased_at is null and ${owesNothing}`).as('is_over'))
    .where((eb) => isBeyond(eb, after))
    .orderBy('leads.received_at')
    .orderBy('leads.id')
    .limit(lookedAt)
    .execute()
  return foundIn(rows)
}

async function findConsents(
  db: Kysely<StoreTables>,
  { before, after }: RetentionSearch,
): Promise<RetentionFound> {
  const rows = await selectOld(db, before)
    .leftJoin('consents', 'consents.lead_id', 'leads.id')
    .select(['leads.id', 'leads.received_at'])
    .select(
      asNumber(sql`leads.erased_at is not null and consents.lead_id is not null`).as('is_over'),
    )
    .where((eb) => isBeyond(eb, after))
    .orderBy('leads.received_at')
    .orderBy('leads.id')
    .limit(lookedAt)
    .execute()
  return foundIn(rows)
}

/** As both databases have it. */
const asNumber = (condition: RawBuilder<unknown>) =>
  sql<number>`case when ${condition} then 1 else 0 end`

interface LookedAt {
  readonly id: string
  readonly received_at: number
  readonly is_over: number
}

function foundIn(rows: readonly LookedAt[]): RetentionFound {
  const last = rows.at(-1)
  return {
    ids: rows.filter(({ is_over }) => is_over === 1).map(({ id }) => id),
    end: last && { receivedAt: last.received_at, id: last.id },
  }
}

async function removeConsents(db: Kysely<StoreTables>, ids: readonly string[]): Promise<number> {
  const removed = await db.deleteFrom('consents').where('lead_id', 'in', ids).executeTakeFirst()
  return Number(removed.numDeletedRows)
}
