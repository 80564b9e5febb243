import { type Kysely, sql, type Transaction } from 'kysely'
import { endedKinds, type LeadRetention, type OverTime } from '#server/use-cases/retain-leads.ts'
import type { LeadDatabase } from '../lead-database.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../store-tables.ts'
import { type ErasableLead, eraseLeads } from './erase-leads.ts'
import { liesBeyond } from './lead-choice.ts'

type Database = Pick<LeadDatabase, 'patient' | 'canSkipLocked' | 'wipe'>

export function makeLeadRetention({ patient: db, canSkipLocked, wipe }: Database): LeadRetention {
  return {
    count: (limits) => retryConflicts(() => countOverTime(db, limits)),
    eraseLeads: (batch) => retryConflicts(() => eraseBatch(db, batch, canSkipLocked)),
    removeConsents: (batch) => retryConflicts(() => removeConsents(db, batch)),
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

/** What is read is checked again once its rows are locked; a row that another process has at that moment is left to it. */
async function eraseBatch(
  db: Kysely<StoreTables>,
  { before, after, limit, now }: Parameters<LeadRetention['eraseLeads']>[0],
  canSkipLocked: boolean,
): ReturnType<LeadRetention['eraseLeads']> {
  const found = await selectOld(db, before)
    .select(['leads.id', 'leads.received_at'])
    .where('leads.erased_at', 'is', null)
    .where(owesNothing)
    .where((eb) => liesBeyond(eb, after, { status: undefined, towards: 'newer' }))
    .orderBy('leads.received_at')
    .orderBy('leads.id')
    .limit(limit)
    .execute()
  const last = found.at(-1)
  if (last === undefined) return { count: 0, end: undefined }
  const count = await db.transaction().execute(async (store) => {
    const locked: readonly ErasableLead[] = await store
      .selectFrom('leads')
      .select(['id', 'area', 'payload'])
      .where(
        'id',
        'in',
        found.map(({ id }) => id),
      )
      .where('erased_at', 'is', null)
      .orderBy('id')
      .$if(canSkipLocked, (query) => query.forUpdate().skipLocked())
      .execute()
    const owed = await lockOwed(store, locked)
    const leads = locked.filter(({ id }) => !owed.has(id))
    await eraseLeads(store, leads, { by: 'retention', now })
    return leads.length
  })
  return { count, end: { receivedAt: last.received_at, id: last.id } }
}

/**
 * Those that have become due again, or were released, since they were found. The update changes nothing: it keeps
 * deliveries as they are until the commit, and a release waits for the lead.
 */
async function lockOwed(
  store: Transaction<StoreTables>,
  leads: readonly ErasableLead[],
): Promise<ReadonlySet<string>> {
  if (leads.length === 0) return new Set()
  const rows = await store
    .updateTable('deliveries')
    .set((eb) => ({ lead_id: eb.ref('lead_id') }))
    .where(
      'lead_id',
      'in',
      leads.map(({ id }) => id),
    )
    .returning(['lead_id', 'settled_as'])
    .execute()
  return new Set(rows.filter((row) => row.settled_as === null).map((row) => row.lead_id))
}

async function removeConsents(
  db: Kysely<StoreTables>,
  { before, after, limit }: Parameters<LeadRetention['removeConsents']>[0],
): ReturnType<LeadRetention['removeConsents']> {
  const found = await selectOld(db, before)
    .innerJoin('consents', 'consents.lead_id', 'leads.id')
    .select(['leads.id', 'leads.received_at'])
    .where('leads.erased_at', 'is not', null)
    .where((eb) => liesBeyond(eb, after, { status: undefined, towards: 'newer' }))
    .orderBy('leads.received_at')
    .orderBy('leads.id')
    .limit(limit)
    .execute()
  const last = found.at(-1)
  if (last === undefined) return { count: 0, end: undefined }
  const removed = await db
    .deleteFrom('consents')
    .where(
      'lead_id',
      'in',
      found.map(({ id }) => id),
    )
    .executeTakeFirst()
  return {
    count: Number(removed.numDeletedRows),
    end: { receivedAt: last.received_at, id: last.id },
  }
}
