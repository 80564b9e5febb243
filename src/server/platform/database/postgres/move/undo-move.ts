import { type Kysely, sql } from 'kysely'
import { findMoveOf, type Move } from '../../moves.ts'
import { runAndClose } from '../../run-and-close.ts'
import type { RunningServer } from '../../running-server.ts'
import { storeFile } from '../../sqlite/data-folder.ts'
import { openSqliteAlone } from '../../sqlite/open-sqlite-alone.ts'
import type { StoreTables } from '../../tables/store-tables.ts'
import { findSessions } from '../find-sessions.ts'
import { openPostgres } from '../open-postgres.ts'
import { compareStores } from './compare-stores.ts'
import { isEmpty, type TableName } from './copy-tables.ts'
import { unmarkSource } from './mark-source.ts'

export interface Undo {
  readonly dataDir: string
  readonly databaseUrl: string
  /** Epoch milliseconds. */
  readonly now: number
}

export type UndoOutcome =
  | { readonly kind: 'undone' }
  | { readonly kind: 'not moved' }
  | { readonly kind: 'moved elsewhere'; readonly to: Move }
  /** It has gone on since, and what it has more would be left behind. */
  | { readonly kind: 'target differs'; readonly tables: readonly TableName[] }
  | { readonly kind: 'target in use'; readonly servers: readonly RunningServer[] }
  | { readonly kind: 'no source' }
  | { readonly kind: 'source in use' }

/**
 * Makes the SQLite store the one again that its leads were moved from, as long as PostgreSQL holds the same, or nothing.
 * Then that is marked in its stead.
 * @throws StoreUnavailableError where either cannot be opened
 */
export async function undoMove({ dataDir, databaseUrl, now }: Undo): Promise<UndoOutcome> {
  const held = openSqliteAlone(dataDir)
  if (held.kind === 'missing') return { kind: 'no source' }
  if (held.kind === 'in use') return { kind: 'source in use' }
  const { database: source } = held
  return runAndClose(
    async () => {
      const to = findMoveOf(source)
      if (to === undefined) return { kind: 'not moved' }
      const { unhurried: target, place, close } = await openPostgres(databaseUrl)
      return runAndClose(async (): Promise<UndoOutcome> => {
        if (to.place !== place) return { kind: 'moved elsewhere', to }
        const servers = await findSessions(target)
        if (servers.length > 0) return { kind: 'target in use', servers }
        const outcome = await target.transaction().execute(async (store): Promise<UndoOutcome> => {
          await sql`lock table leads in exclusive mode`.execute(store)
          const { different } = await compareStores(source, store)
          if (different.length > 0 && !(await isEmpty(store)))
            return { kind: 'target differs', tables: different }
          await markTarget(store, { place: storeFile(dataDir), at: now })
          return { kind: 'undone' }
        })
        // Where this process ends before it, both are marked: run again, it goes on from there.
        if (outcome.kind === 'undone') unmarkSource(source)
        return outcome
      }, close)
    },
    () => source.close(),
  )
}

async function markTarget(store: Kysely<StoreTables>, { place, at }: Move): Promise<void> {
  await store.deleteFrom('moves').execute()
  await store.insertInto('moves').values({ place, moved_at: at }).execute()
}
