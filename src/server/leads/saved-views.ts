import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { isAllowed } from '#domain/operator/permissions.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { countRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { readFilterTexts, requiresPersonSearchPermission } from './lead-filters.ts'

export interface SavedView {
  readonly id: string
  readonly operatorId: string
  readonly name: string
  /** The filter as a URL query, without personal data. */
  readonly query: string
  readonly isShared: boolean
}

const maxNameLength = 60

/** The most views per operator; a longer list would be hard to read. */
export const maxSavedViews = 100

/** The most characters of a view's query, because browsers and servers refuse much longer URLs. */
const maxQueryLength = 2_000

type SaveViewOutcome = 'saved' | 'no name' | 'too many' | 'too long'

export function makeSavedViews(db: Kysely<StoreTables>, clock: () => number) {
  return {
    /**
     * Lists the operator's own views and then the shared views of others, each by name. A view that requires the
     * permission to search for a person is left out if the operator lacks this permission.
     */
    list: async (actor: ConsoleActor): Promise<readonly SavedView[]> => {
      authorize(actor, 'see leads', clock())
      const rows = await db
        .selectFrom('saved_views')
        .select(['id', 'operator_id as operatorId', 'name', 'query', 'is_shared'])
        .where((eb) => eb.or([eb('operator_id', '=', actor.id), eb('is_shared', '=', 1)]))
        // An operator's own views come first, so that the limit does not drop them.
        .orderBy((eb) => eb('operator_id', '=', actor.id), 'desc')
        .orderBy('name')
        .orderBy('id')
        .limit(2 * maxSavedViews)
        .execute()
      const mayFindPeople = isAllowed(actor.role, 'search for a person')
      return rows
        .filter(
          ({ query }) => mayFindPeople || !requiresPersonSearchPermission(readFilterTexts(query)),
        )
        .map(({ is_shared, ...view }) => ({ ...view, isShared: is_shared === 1 }))
    },
    save: async (
      actor: ConsoleActor,
      { name, query, isShared }: Pick<SavedView, 'name' | 'query' | 'isShared'>,
    ): Promise<SaveViewOutcome> => {
      const now = clock()
      authorize(actor, isShared ? 'share a view' : 'save a view', now)
      const trimmedName = name.trim()
      if (trimmedName === '' || trimmedName.length > maxNameLength) return 'no name'
      if (query.length > maxQueryLength) return 'too long'
      const view = { operatorId: actor.id, name: trimmedName, query, isShared }
      const isKept = await insertSavedView(db, { id: hashView(view), ...view }, now)
      return isKept ? 'saved' : 'too many'
    },
    /**
     * Removes a view. Admins can also remove the shared views of others, who may have left.
     * @returns the view's filter; undefined if the view does not exist or may not be removed
     */
    remove: async (actor: ConsoleActor, id: string): Promise<string | undefined> => {
      authorize(actor, 'save a view', clock())
      const mayRemoveOthers = isAllowed(actor.role, 'remove others’ views')
      const removed = await db
        .deleteFrom('saved_views')
        .where('id', '=', id)
        .where((eb) =>
          eb.or([
            eb('operator_id', '=', actor.id),
            ...(mayRemoveOthers ? [eb('is_shared', '=', 1)] : []),
          ]),
        )
        .returning('query')
        .executeTakeFirst()
      return removed?.query
    },
  }
}

/** Equal views get equal ids, so that a view that is saved twice is stored once. */
const hashView = ({ operatorId, name, query, isShared }: Omit<SavedView, 'id'>): string =>
  createHash('sha256')
    .update(JSON.stringify([operatorId, name, query, isShared]))
    .digest('base64url')
    .slice(0, 22)

/** Adds a view. @returns false if the operator has {@link maxSavedViews} already */
export async function insertSavedView(
  db: Kysely<StoreTables>,
  { operatorId: operator_id, isShared, ...view }: SavedView,
  now: number,
): Promise<boolean> {
  const others = db.selectFrom('saved_views').where('operator_id', '=', operator_id)
  if ((await countRows(others.where('id', '<>', view.id))) >= maxSavedViews) return false
  await db
    .insertInto('saved_views')
    .values({ ...view, operator_id, is_shared: isShared ? 1 : 0, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}
