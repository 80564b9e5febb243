import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { searchKeySecret } from '#server/platform/database/shared-secret.ts'
import { listGroups } from './error-groups.ts'
import { type CountSearch, countLeads, findLeads, type LeadSearch } from './find-leads.ts'
import { type ComparedDay, countLeadsByDay } from './lead-counts.ts'
import { indexEarlierLeads } from './lead-index-rows.ts'
import { makeSearchKeys } from './search-keys.ts'
import { makeLeadSearches } from './search-leads.ts'

export const makeLeadIndex = ({ db }: Pick<LeadDatabase, 'db'>) => ({
  find: (search: LeadSearch) => findLeads(db, search),
  count: (search: CountSearch) => countLeads(db, search),
  errorGroups: {
    list: () => listGroups(db),
  },
  readFigures: (days: readonly ComparedDay[]) => countLeadsByDay(db, days),
  /** The keys for each possible meaning of an operator's search text; empty if the text cannot be searched for. */
  keysOf: async (text: string) => makeSearchKeys(await searchKeySecret(db), text),
  searches: makeLeadSearches(db),
  indexEarlierLeads: (take: number) => indexEarlierLeads(db, take),
})

export type LeadIndex = ReturnType<typeof makeLeadIndex>
