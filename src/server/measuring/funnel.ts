import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import { countOutcomes, readTimesToAcceptance } from './count-outcomes.ts'
import {
  type FunnelQuery,
  readVisitCounts,
  readVisitSplit,
  type SplitQuery,
} from './funnel-rollup.ts'

/** Counts visits and leads. A visit counts when it began, a lead when it was received. */
export const makeFunnel = ({ db }: Pick<LeadDatabase, 'db'>) => ({
  visits: (query: FunnelQuery) => retryConflicts(() => readVisitCounts(db, query)),
  visitsBy: (query: SplitQuery) => retryConflicts(() => readVisitSplit(db, query)),
  /** Counts leads by their current status. */
  leads: (query: FunnelQuery & Partial<SplitQuery>) =>
    retryConflicts(() => countOutcomes(db, query)),
  timesToAcceptance: (query: FunnelQuery) => retryConflicts(() => readTimesToAcceptance(db, query)),
})

export type Funnel = ReturnType<typeof makeFunnel>
