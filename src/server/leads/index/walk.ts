import { type RawBuilder, sql } from 'kysely'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import { isInDoubt } from '../store/is-in-doubt.ts'

export type Condition = RawBuilder<unknown>

/** One value's entries of one index, in the order of time. */
export interface Source {
  /** What has the order: see {@link entriesAt}. */
  readonly at: 'lead_index' | 'lead_keys' | 'in_doubt'
  readonly where: Condition
}

/** One part of the filter: the entries of each of its values. */
export interface Walk {
  readonly part: Exclude<keyof LeadFilter, 'since' | 'until'> | 'keys' | 'all'
  readonly sources: readonly Source[]
}

/** Deliveries themselves say who is in doubt: they have an index of those, in the order of time (migration 0010). */
const inDoubt = sql`(select deliveries.created_at as received_at, deliveries.lead_id from deliveries
  where ${isInDoubt}) as in_doubt`

/** To be read from, under its name. */
export const entriesAt = (at: Source['at']): RawBuilder<unknown> =>
  at === 'in_doubt' ? inDoubt : sql.table(at)
