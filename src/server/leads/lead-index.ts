import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { readSearchKeySecret } from '#server/platform/database/shared-secret.ts'
import { makeProportionalLifetime, makeTimedCache } from '#server/platform/timed-cache.ts'
import { countPeople } from './count-people.ts'
import { listErrorGroups } from './error-groups.ts'
import {
  countMatchingLeads,
  findLeads,
  type LeadSearch,
  type SearchCriteria,
} from './find-leads.ts'
import { indexLeadsOfPreviousVersion } from './lead-index-rows.ts'
import { readKnownOrigins } from './lead-origins.ts'
import { type ComparedDay, countForOverview } from './overview-counts.ts'
import { makeLeadSearches } from './person-searches.ts'
import { makeSearchKeys } from './search-keys.ts'

export const makeLeadIndex = ({ db }: Pick<LeadDatabase, 'db'>) => ({
  find: (search: LeadSearch) => findLeads(db, search),
  count: (search: SearchCriteria) => countMatchingLeads(db, search),
  /** Lists the values that the filters by affiliate, source and campaign suggest, at most 100 each. */
  knownOrigins: makeTimedCache(() => readKnownOrigins(db), makeProportionalLifetime(20)),
  countPeople: (search: SearchCriteria) => countPeople(db, search),
  listErrorGroups: () => listErrorGroups(db),
  countForOverview: (days: readonly ComparedDay[]) => countForOverview(db, days),
  /** Makes a key for each way to read a search text: reference, email, phone or last name; empty if none fits. */
  keysOf: async (text: string) => makeSearchKeys(await readSearchKeySecret(db), text),
  searches: makeLeadSearches(db),
  indexLeadsOfPreviousVersion: (take: number) => indexLeadsOfPreviousVersion(db, take),
})

export type LeadIndex = ReturnType<typeof makeLeadIndex>
