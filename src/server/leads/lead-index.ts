import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import { leadKeySecret } from '#server/platform/database/shared-secret.ts'
import type { ErrorGroups } from './error-groups.ts'
import { listGroups, wordsOf } from './error-groups.ts'
import { countLeads, findLeads, type LeadFinder } from './find-leads.ts'
import { type ReadFigures, readFigures } from './lead-figures.ts'
import { indexEarlierLeads } from './lead-index-rows.ts'
import { searchKeys } from './lead-keys.ts'
import { makeLeadSearches } from './search-leads.ts'

export interface LeadIndex extends LeadFinder {
  readonly readFigures: ReadFigures
  readonly errorGroups: ErrorGroups
  /** Completes so many rows of leads that the previous release has stored, and resolves with how many there were. */
  indexEarlierLeads(take: number): Promise<number>
}

export function makeLeadIndex({ db, locking }: Pick<LeadDatabase, 'db' | 'locking'>): LeadIndex {
  return {
    find: (search) => retryConflicts(() => findLeads(db, search)),
    findAndCount: async (search) => {
      const [found, count] = await Promise.all([
        retryConflicts(() => findLeads(db, search)),
        retryConflicts(() => countLeads(db, search)),
      ])
      return { ...found, count }
    },
    count: (search) => retryConflicts(() => countLeads(db, search)),
    errorGroups: {
      list: () => retryConflicts(() => listGroups(db)),
      wordsOf: (ids) => retryConflicts(() => wordsOf(db, ids)),
    },
    readFigures: (days) => retryConflicts(() => readFigures(db, days)),
    keysOf: async (text) => searchKeys(await leadKeySecret(db), text),
    searches: makeLeadSearches(db),
    indexEarlierLeads: (take) => retryConflicts(() => indexEarlierLeads(db, { take, locking })),
  }
}
