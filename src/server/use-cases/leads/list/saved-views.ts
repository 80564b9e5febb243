import { createHash } from 'node:crypto'
import { isAllowed } from '#domain/operator/rights.ts'
import { authorise } from '../../operators/authorise.ts'
import type { ConsoleActor } from '../../operators/operator.ts'

/** A filter under a name. */
export interface SavedView {
  readonly id: string
  readonly operatorId: string
  readonly name: string
  /** As in the address; it names nobody. */
  readonly query: string
  /** Every operator sees it. */
  readonly isShared: boolean
}

export interface SavedViews {
  /** Once, whoever adds it again. */
  add(view: SavedView, now: number): Promise<void>
  countOf(operatorId: string): Promise<number>
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
    list: (actor: ConsoleActor): Promise<readonly SavedView[]> => {
      authorise(actor, 'see leads', clock())
      return views.list(actor.id)
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
      // Sent twice: the first answer was lost, or the button was pressed again.
      const isThere = (await views.list(actor.id)).some(
        (view) =>
          view.operatorId === actor.id &&
          view.name === named &&
          view.query === query &&
          view.isShared === isShared,
      )
      if (isThere) return 'saved'
      if ((await views.countOf(actor.id)) >= mostViews) return 'too many'
      await views.add(
        {
          id: idOf([actor.id, named, query, isShared]),
          operatorId: actor.id,
          name: named,
          query,
          isShared,
        },
        now,
      )
      return 'saved'
    },
    /** An admin removes what others share, too: they may be here no longer. */
    remove: async (actor: ConsoleActor, id: string): Promise<boolean> => {
      authorise(actor, 'save a view', clock())
      if (await views.remove(id, actor.id)) return true
      return isAllowed(actor.role, 'remove others’ views') && views.removeShared(id)
    },
  }
}

/** The same view has the same id: of two that are sent at once one is kept. */
const idOf = (parts: readonly (string | boolean)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)

export type ManageViews = ReturnType<typeof makeManageViews>
