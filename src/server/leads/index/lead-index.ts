import { randomBytes } from 'node:crypto'
import type { ErrorGroups } from '#server/delivery/error-groups.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import { sharedSecret } from '#server/platform/database/shared-secret.ts'
import type { ReadFigures } from '../figures/lead-figures.ts'
import type { LeadFinder } from '../list/lead-finder.ts'
import { listGroups, wordsOf } from './error-groups/list-groups.ts'
import { countLeads, findAndCount, findLeads } from './find-leads.ts'
import { type Followed, followChanges } from './follow-changes.ts'
import { searchKeys } from './lead-keys.ts'
import { makeLeadSearches } from './lead-searches.ts'
import { readFigures } from './read-figures.ts'

export interface LeadIndex extends LeadFinder {
  readonly readFigures: ReadFigures
  readonly errorGroups: ErrorGroups
  /** How many to follow at once at least, and in what share of the time: some two hundred a second or more. */
  readonly pace: { readonly least: number; readonly share: number }
  /** Brings so many changes into it. */
  follow(take: number): Promise<Followed>
}

/**
 * On SQLite whoever enquires waits for the end of a batch. On PostgreSQL nobody does, but each of a batch's statements has
 * its price, which more leads share: as many are followed in less of the time.
 */
const paces = {
  file: { least: 32, share: 0.1 },
  rows: { least: 64, share: 0.04 },
} as const

export function makeLeadIndex({ db, locking }: Pick<LeadDatabase, 'db' | 'locking'>): LeadIndex {
  let known: Promise<string> | undefined
  const secret = async () => {
    known ??= sharedSecret(db, 'lead keys', () => randomBytes(32).toString('base64url'))
    return known.catch((error: unknown) => {
      known = undefined
      throw error
    })
  }
  return {
    find: (search) => retryConflicts(() => findLeads(db, search)),
    findAndCount: (search) => retryConflicts(() => findAndCount(db, search)),
    count: (search) => retryConflicts(() => countLeads(db, search)),
    errorGroups: {
      list: () => retryConflicts(() => listGroups(db)),
      wordsOf: (ids) => retryConflicts(() => wordsOf(db, ids)),
    },
    pace: paces[locking],
    readFigures: (days) => retryConflicts(() => readFigures(db, days)),
    behind: () => retryConflicts(() => readBehind()),
    keysOf: async (text) => searchKeys(await secret(), text),
    searches: makeLeadSearches(db),
    follow: async (take) => {
      const key = await secret()
      return retryConflicts(() => followChanges(db, { take, secret: key, locking }))
    },
  }

  /** As far as a page says it. */
  async function readBehind() {
    const changes = await db
      .selectFrom((eb) =>
        eb
          .selectFrom('lead_changes')
          .select('seq')
          .limit(mostSaid + 1)
          .as('some'),
      )
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    if (changes.n === 0) return undefined
    const oldest = await db
      .selectFrom('lead_changes')
      .select('at')
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    return (
      oldest && {
        since: oldest.at,
        changes: Math.min(changes.n, mostSaid),
        isAll: changes.n <= mostSaid,
      }
    )
  }
}

const mostSaid = 10_000
