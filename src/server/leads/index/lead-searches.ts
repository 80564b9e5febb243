import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadSearches } from '../list/lead-finder.ts'

const keptForMs = 60 * 60 * 1000

/** Of one operator: the oldest ends where there are more. */
const mostKept = 50

const isSearchId = /^[\w-]{16}$/

/** What was looked for is not in the store: its keyed hashes are, for an hour. */
export function makeLeadSearches(db: Kysely<StoreTables>): LeadSearches {
  return {
    keep: async (operatorId, keys, now) => {
      const id = randomBytes(12).toString('base64url')
      await retryConflicts(async () => {
        await db
          .deleteFrom('lead_searches')
          .where('created_at', '<', now - keptForMs)
          .execute()
        await db
          .insertInto('lead_searches')
          .values({ id, operator_id: operatorId, keys: JSON.stringify(keys), created_at: now })
          .execute()
        const older = db
          .selectFrom('lead_searches')
          .select('id')
          .where('operator_id', '=', operatorId)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(1000)
          .offset(mostKept)
        await db.deleteFrom('lead_searches').where('id', 'in', older).execute()
      })
      return id
    },
    find: async (id, operatorId, now) => {
      // Typed by hand it may be somebody's address: the database, which may log what it is asked, is not asked with it.
      if (!isSearchId.test(id)) return undefined
      return retryConflicts(async () => {
        const row = await db
          .selectFrom('lead_searches')
          .select('keys')
          .where('id', '=', id)
          .where('operator_id', '=', operatorId)
          .where('created_at', '>=', now - keptForMs)
          .executeTakeFirst()
        return row && (JSON.parse(row.keys) as readonly string[])
      })
    },
  }
}
