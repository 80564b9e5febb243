import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Comparison } from '#domain/measuring/comparison.ts'
import { isOriginColumn, isPersonalOrigin, originNames } from '#server/leads/lead-origins.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { IndexedStatus, StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  type FunnelQuery,
  type FunnelSplitQuery,
  findFirstVisits,
  makeFilterCondition,
  makeSplitColumn,
  readVisitCounts,
  readVisitCountsByGroup,
} from './funnel-rollup.ts'

export interface OutcomeCount {
  /** The value or week that these leads share; null if the value is unknown, or if the counts are not split. */
  readonly value: string | number | null
  readonly status: IndexedStatus
  /** Why the distributor's last answer rejected the leads: a cause such as `cap`, or `rejected`. Null for other leads. */
  readonly cause: string | null
  readonly leads: number
  /** The number of accepted leads that the distributor has taken back. */
  readonly returned: number
  /** The number of leads whose value contains the person's own data; absent if there are none. */
  readonly personal?: number
}

/** Counts leads by their current status in the lead index, which the console's list of leads reads, too. */
async function countOutcomes(
  db: Kysely<StoreTables>,
  { since, until, filter, by, hidesPersonalOrigins }: FunnelQuery & Partial<FunnelSplitQuery>,
): Promise<readonly OutcomeCount[]> {
  const value = by === undefined ? sql`null` : makeSplitColumn(by, 'received_at')
  const personal =
    by && isOriginColumn(by) ? sql`case when ${isPersonalOrigin(by)} then 1 end` : sql`null`
  const hidden = hidesPersonalOrigins ? originNames.filter((name) => name in filter) : []
  const { rows } = await sql<OutcomeCount>`
    select ${value} as value, status, rejected_because as cause, count(*) as leads,
      count(returned_at) as returned, count(${personal}) as personal from lead_index
    where ${sql.join(
      [
        sql`received_at >= ${since} and received_at < ${until} and ${makeFilterCondition(filter, 'lead_index')}`,
        ...hidden.map((name) => sql`not ${isPersonalOrigin(name)}`),
      ],
      sql` and `,
    )}
    group by ${by === undefined ? sql`` : sql`${value},`} status, rejected_because`.execute(db)
  return rows.map(({ personal: found, ...row }) => ({
    ...{ ...row, leads: Number(row.leads), returned: Number(row.returned) },
    ...(Number(found) > 0 && { personal: Number(found) }),
  }))
}

/** The maximum number of leads whose times are read, because the times of more leads would change the median little. */
const maxTimed = 1000

/** Reads how long the latest accepted leads waited from receipt to acceptance, in milliseconds. */
async function readTimesToAcceptance(
  db: Kysely<StoreTables>,
  { since, until, filter }: FunnelQuery,
): Promise<readonly number[]> {
  const { rows } = await sql<{ ms: number }>`
    select deliveries.settled_at - latest.received_at as ms from (
      select lead_id, received_at from lead_index
      where status = 'delivered' and received_at >= ${since} and received_at < ${until}
        and ${makeFilterCondition(filter, 'lead_index')}
      order by received_at desc limit ${sql.lit(maxTimed)}
    ) as latest inner join deliveries on deliveries.lead_id = latest.lead_id`.execute(db)
  return rows.map(({ ms }) => Number(ms))
}

/**
 * Finds out whether a filter's counts of an earlier period are complete: the store, or for example the affiliate, may have
 * begun later, and retention may have erased leads.
 */
async function compareWith(
  db: Kysely<StoreTables>,
  { since, filter }: Pick<FunnelQuery, 'since' | 'filter'>,
): Promise<Comparison> {
  const findFirst = async (found: RawBuilder<{ at: number }>) =>
    (await found.execute(db)).rows[0]?.at
  const [firstVisitAt, firstLeadAt, erasedAt] = await Promise.all([
    findFirstVisits(db, filter),
    findFirst(sql`select received_at as at from lead_index
      where ${makeFilterCondition(filter, 'lead_index')} order by received_at limit 1`),
    // The function keeps the index by cause out of use, because it would have to sort all erased leads.
    findFirst(sql`select received_at as at from leads
      where erased_at is not null and coalesce(erased_by, '') = 'retention'
      order by received_at desc limit 1`),
  ])
  const isErased = erasedAt !== undefined && erasedAt >= since
  return {
    // The first day or week with visits may have begun before its first visit.
    hasVisits: firstVisitAt !== undefined && firstVisitAt < since,
    hasLeads: firstLeadAt !== undefined && firstLeadAt <= since && !isErased,
    ...{ firstVisitAt, firstLeadAt, isErased },
  }
}

/** Counts visits and leads. A visit counts when it began, and a lead when the server received it. */
export const makeFunnelReader = ({ db }: Pick<LeadDatabase, 'db'>) => ({
  visits: (query: FunnelQuery) => readVisitCounts(db, query),
  visitsBy: (query: FunnelSplitQuery) => readVisitCountsByGroup(db, query),
  leads: (query: FunnelQuery & Partial<FunnelSplitQuery>) => countOutcomes(db, query),
  compareWith: (before: Pick<FunnelQuery, 'since' | 'filter'>) => compareWith(db, before),
  timesToAcceptance: (query: FunnelQuery) => readTimesToAcceptance(db, query),
})

export type FunnelReader = ReturnType<typeof makeFunnelReader>
