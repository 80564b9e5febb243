import { type Kysely, sql } from 'kysely'
import type { IndexedStatus, StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type FunnelQuery, matches } from './funnel-rollup.ts'

export interface OutcomeCount {
  /** The value of the dimension that the counts are grouped by; null if it is unknown, or without such a dimension. */
  readonly value: string | number | null
  readonly status: IndexedStatus
  /** Why the distributor rejected the leads: a cause such as `cap`, or `rejected`. Null for other statuses. */
  readonly cause: string | null
  readonly leads: number
}

/**
 * Counts the leads received in a range by their current status, and by the values of one dimension if `by` names one.
 * The counts come from the index of leads, so they always agree with the console's list.
 */
export async function countOutcomes(
  db: Kysely<StoreTables>,
  { since, until, filter, by }: Omit<FunnelQuery, 'events'>,
): Promise<readonly OutcomeCount[]> {
  const value = by === undefined ? sql`null` : sql.ref(`lead_index.${by}`)
  const cause = sql`case when status = 'rejected' then error end`
  const { rows } = await sql<OutcomeCount>`
    select ${value} as value, status, ${cause} as cause, count(*) as leads from lead_index
    where received_at >= ${since} and received_at < ${until} and ${matches('lead_index', filter)}
    group by ${by === undefined ? sql`` : sql`${value},`} status, ${cause}`.execute(db)
  return rows.map((row) => ({ ...row, leads: Number(row.leads) }))
}
