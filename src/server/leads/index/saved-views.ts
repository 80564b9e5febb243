import type { Kysely } from 'kysely'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { mostViews, type SavedViews } from '../list/saved-views.ts'

/** Of one's own and of others'. */
const mostShown = 2 * mostViews

export function makeSavedViews(db: Kysely<StoreTables>): SavedViews {
  return {
    add: ({ id, operatorId, name, query, isShared }, now) =>
      retryConflicts(async () => {
        await db
          .insertInto('saved_views')
          .values({
            id,
            operator_id: operatorId,
            name,
            query,
            is_shared: isShared ? 1 : 0,
            created_at: now,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        // Many that are saved at once are each counted before the others are there.
        const beyond = db
          .selectFrom('saved_views')
          .select('id')
          .where('operator_id', '=', operatorId)
          .orderBy('created_at')
          .orderBy('id')
          .limit(1000)
          .offset(mostViews)
        const removed = await db
          .deleteFrom('saved_views')
          .where('id', 'in', beyond)
          .returning('id')
          .execute()
        return !removed.some((view) => view.id === id)
      }),
    list: (operatorId) =>
      retryConflicts(async () => {
        const rows = await db
          .selectFrom('saved_views')
          .select(['id', 'operator_id', 'name', 'query', 'is_shared'])
          .where((eb) => eb.or([eb('operator_id', '=', operatorId), eb('is_shared', '=', 1)]))
          // So that nobody's own are pushed out by what others share.
          .orderBy((eb) => eb('operator_id', '=', operatorId), 'desc')
          .orderBy('name')
          .orderBy('id')
          .limit(mostShown)
          .execute()
        return rows.map(({ operator_id, is_shared, ...view }) => ({
          ...view,
          operatorId: operator_id,
          isShared: is_shared === 1,
        }))
      }),
    remove: (id, operatorId) =>
      retryConflicts(async () => {
        const { numDeletedRows } = await db
          .deleteFrom('saved_views')
          .where('id', '=', id)
          .where('operator_id', '=', operatorId)
          .executeTakeFirstOrThrow()
        return numDeletedRows > 0n
      }),
    removeShared: (id) =>
      retryConflicts(async () => {
        const { numDeletedRows } = await db
          .deleteFrom('saved_views')
          .where('id', '=', id)
          .where('is_shared', '=', 1)
          .executeTakeFirstOrThrow()
        return numDeletedRows > 0n
      }),
  }
}
