import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { isAllowed } from '#domain/operator/rights.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { filterIn, needsSearchRight } from './lead-filters.ts'

/** A filter under a name. */
export interface SavedView {
  readonly id: string
  readonly operatorId: string
  readonly name: string
  /** As in the address; it contains no personal data. */
  readonly query: string
  /** Every operator sees it. */
  readonly isShared: boolean
}

export interface SavedViews {
  /** Once, whoever adds it again. False where it would be one more than {@link mostViews}. */
  add(view: SavedView, now: number): Promise<boolean>
  /** Theirs, then those that others share, by name. */
  list(operatorId: string): Promise<readonly SavedView[]>
  /** False where they have no such view. */
  remove(id: string, operatorId: string): Promise<boolean>
  /** Whoever shares it. False where nobody shares such a view. */
  removeShared(id: string): Promise<boolean>
}

const longestName = 60

/** More than anybody finds their way in. */
export const mostViews = 100

/** An address that is much longer no browser and no server takes. */
const longestQuery = 2_000

export type SaveOutcome = 'saved' | 'no name' | 'too many' | 'too long'

/** Each operator's own, and those that they share. */
export function makeManageViews(views: SavedViews, clock: () => number) {
  return {
    /** Without the permission to search for a person, no view whose filter names one. */
    list: async (actor: ConsoleActor): Promise<readonly SavedView[]> => {
      authorise(actor, 'see leads', clock())
      const found = await views.list(actor.id)
      return isAllowed(actor.role, 'search for a person')
        ? found
        : found.filter(({ query }) => !needsSearchRight(filterIn(query).filter))
    },
    /** Without a name, or with one that is too long, nothing is saved. */
    save: async (
      actor: ConsoleActor,
      { name, query, isShared }: Pick<SavedView, 'name' | 'query' | 'isShared'>,
    ): Promise<SaveOutcome> => {
      const now = clock()
      authorise(actor, isShared ? 'share a view' : 'save a view', now)
      const named = name.trim()
      if (named === '' || named.length > longestName) return 'no name'
      if (query.length > longestQuery) return 'too long'
      const view = { operatorId: actor.id, name: named, query, isShared }
      const id = idOf(view)
      const own = (await views.list(actor.id)).filter(({ operatorId }) => operatorId === actor.id)
      // Of their last view, too, the first answer may have been lost.
      if (own.length >= mostViews && !own.some((one) => one.id === id)) return 'too many'
      return (await views.add({ id, ...view }, now)) ? 'saved' : 'too many'
    },
    /** An admin removes what others share, too: they may be here no longer. */
    remove: async (actor: ConsoleActor, id: string): Promise<boolean> => {
      authorise(actor, 'save a view', clock())
      if (await views.remove(id, actor.id)) return true
      return isAllowed(actor.role, 'remove others’ views') && views.removeShared(id)
    },
  }
}

/** The same view has the same id: what is sent twice, or at once, is kept once. */
const idOf = ({ operatorId, name, query, isShared }: Omit<SavedView, 'id'>): string =>
  createHash('sha256')
    .update(JSON.stringify([operatorId, name, query, isShared]))
    .digest('base64url')
    .slice(0, 22)

export type ManageViews = ReturnType<typeof makeManageViews>

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
          // So that shared views do not push out an operator's own.
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
