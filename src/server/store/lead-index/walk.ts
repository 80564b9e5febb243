import type { RawBuilder } from 'kysely'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'

export type Condition = RawBuilder<unknown>

/** One value's entries of one index, in the order of time. */
export interface Source {
  /** The table that has the order. */
  readonly at: 'lead_index' | 'lead_keys'
  readonly where: Condition
}

/** One part of the filter: the entries of each of its values. */
export interface Walk {
  readonly part: Exclude<keyof LeadFilter, 'since' | 'until'> | 'keys' | 'all'
  readonly sources: readonly Source[]
}
