import { type Kysely, sql } from 'kysely'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { IndexedStatus, StoreTables } from '#server/platform/database/tables/store-tables.ts'
import {
  breakdownExpression,
  type FunnelBreakdownQuery,
  type FunnelQuery,
  matches,
  readVisitCounts,
  readVisitSplit,
} from './funnel-rollup.ts'

export interface OutcomeCount {
  /** The value or week that the counts are split by; null if it is unknown, or without a split. */
  readonly value: string | number | null
  readonly status: IndexedStatus
  /** Why the distributor rejected the leads: a cause such as `cap`, or `rejected`. Null for other statuses. */
  readonly cause: string | null
  readonly leads: number
  /** How many of the accepted leads the distributor has taken back. */
  readonly returned: number
}

/**
 * Counts the leads received in a range by their current status, and by the values of one dimension or the weeks if `by`
 * names them.
 * The counts come from the index of leads, so they always agree with the console's list.
 */
export async function countOutcomes(
  db: Kysely<StoreTables>,
  { since, until, filter, by }: FunnelQuery & Partial<FunnelBreakdownQuery>,
): Promise<readonly OutcomeCount[]> {
  const value = by === undefined ? sql`null` : breakdownExpression(by, 'received_at')
  const cause = sql`case when status = 'rejected' then error end`
  const { rows } = await sql<OutcomeCount>`
    select ${value} as value, status, ${cause} as cause, count(*) as leads,
      count(returned_at) as returned from lead_index
    where received_at >= ${since} and received_at < ${until} and ${matches(filter)}
    group by ${by === undefined ? sql`` : sql`${value},`} status, ${cause}`.execute(db)
  return rows.map((row) => ({ ...row, leads: Number(row.leads), returned: Number(row.returned) }))
}

/** The latest accepted leads of a range that are timed; a median changes little with more. */
const maxTimed = 1000

/** Reads how long the latest accepted leads took from their receipt until the distributor accepted them, in milliseconds. */
export async function readTimesToAcceptance(
  db: Kysely<StoreTables>,
  { since, until, filter }: FunnelQuery,
): Promise<readonly number[]> {
  const { rows } = await sql<{ ms: number }>`
    select deliveries.settled_at - latest.received_at as ms from (
      select lead_id, received_at from lead_index
      where status = 'delivered' and received_at >= ${since} and received_at < ${until}
        and ${matches(filter)}
      order by received_at desc limit ${sql.lit(maxTimed)}
    ) as latest inner join deliveries on deliveries.lead_id = latest.lead_id`.execute(db)
  return rows.map(({ ms }) => Number(ms))
}

/** Counts visits and leads. A visit counts when it began, a lead when it was received. */
export const makeFunnel = ({ db }: Pick<LeadDatabase, 'db'>) => ({
  visits: (query: FunnelQuery) => readVisitCounts(db, query),
  visitsBy: (query: FunnelBreakdownQuery) => readVisitSplit(db, query),
  /** Counts leads by their current status. */
  leads: (query: FunnelQuery & Partial<FunnelBreakdownQuery>) => countOutcomes(db, query),
  timesToAcceptance: (query: FunnelQuery) => readTimesToAcceptance(db, query),
})

export type Funnel = ReturnType<typeof makeFunnel>
