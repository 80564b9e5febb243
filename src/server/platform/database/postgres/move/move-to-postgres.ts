import type { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql, type Transaction } from 'kysely'
import { migrateStore } from '../../migrations/migrate-store.ts'
import { runAndClose } from '../../run-and-close.ts'
import { openSqlite } from '../../sqlite/open-sqlite.ts'
import { openSqliteExclusively } from '../../sqlite/server-lock.ts'
import { type StoreMove as MarkedMove, markMoved, readMove } from '../../store-state.ts'
import type { StoreTables } from '../../tables/store-tables.ts'
import { openPostgres } from '../open-postgres.ts'
import {
  breakerTables,
  copySearchKeySecret,
  countRows,
  digestTarget,
  isEmpty,
  readSource,
  type TableName,
  tableNames,
} from './copy-tables.ts'

export type MoveOutcome =
  /** The leads were copied; counts and checksums of every table match. */
  | { readonly kind: 'copied'; readonly tables: readonly MovedTable[] }
  | { readonly kind: 'already there'; readonly tables: readonly MovedTable[] }
  /** The target holds other leads than the source, or one store has changed since the copy. */
  | { readonly kind: 'target differs'; readonly tables: readonly TableName[] }
  | { readonly kind: 'no source' }
  | { readonly kind: 'source in use' }
  /** The source was moved to another place before. */
  | { readonly kind: 'moved before'; readonly to: MarkedMove }

interface Move {
  readonly dataDir: string
  readonly databaseUrl: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly onProgress: (done: number, total: number) => void
}

/**
 * Copies a SQLite store into PostgreSQL in one transaction and verifies it, so an interrupted copy leaves nothing
 * behind. The source is then marked, and no server starts on it again: both stores hold the same open deliveries.
 * @throws StoreUnavailableError if one of the stores cannot be opened
 */
export async function moveToPostgres(move: Move): Promise<MoveOutcome> {
  const held = await lockSource(move.dataDir)
  if (held.kind !== 'opened')
    return { kind: held.kind === 'missing' ? 'no source' : 'source in use' }
  const { database } = held
  return runAndClose(
    () => moveToTarget(move, database),
    () => database.close(),
  )
}

async function moveToTarget(move: Move, source: DatabaseSync): Promise<MoveOutcome> {
  const { migrationDb: target, place, close } = await openPostgres(move.databaseUrl)
  return runAndClose(async () => {
    const before = readMove(source)
    if (before !== undefined && before.place !== place) return { kind: 'moved before', to: before }
    await migrateStore(target)
    const outcome = await copyOrCompare(source, target, move)
    if (outcome.kind === 'target differs') return outcome
    markMoved(source, { place, at: move.now })
    return outcome
  }, close)
}

/** Migrates the source to the schema of the target, and then locks the source. */
async function lockSource(dataDir: string) {
  const first = openSqliteExclusively(dataDir)
  if (first.kind !== 'opened') return first
  first.database.close()
  const source = await openSqlite(dataDir)
  await runAndClose(source.migrate, source.close)
  return openSqliteExclusively(dataDir)
}

function copyOrCompare(
  source: DatabaseSync,
  target: Kysely<StoreTables>,
  move: Move,
): Promise<MoveOutcome> {
  return target.transaction().execute(async (store) => {
    // A server that starts on the target too early waits, and so does a second copy.
    await sql`lock table leads in exclusive mode`.execute(store)
    await store.deleteFrom('moves').execute()
    const isCopied = await isEmpty(store)
    if (isCopied) await prepareTarget(source, store)
    const total = tableNames.reduce((sum, name) => sum + countRows(source, name), 0)
    let done = 0
    const tables: MovedTable[] = []
    const different: TableName[] = []
    for (const name of tableNames) {
      const read = await readSource(source, name, async (rows) => {
        if (!isCopied) return
        await store
          .insertInto(name)
          .values(rows as never)
          .execute()
        done += rows.length
        move.onProgress(done, total)
      })
      tables.push({ name, rows: read.rows })
      // A target that was used before has its own rows about its breaker.
      if (!isCopied && breakerTables.includes(name)) continue
      if (!read.equals(await digestTarget(store, name))) different.push(name)
    }
    if (isCopied && different.length > 0) {
      throw new Error(
        `PostgreSQL changed rows of ${different.join(', ')} while it stored them. Nothing was kept.`,
      )
    }
    if (different.length > 0) return { kind: 'target differs', tables: different }
    return { kind: isCopied ? 'copied' : 'already there', tables }
  })
}

/** Prepares a new target for the copy, which brings the breaker's row and the secret of the leads' keys. */
async function prepareTarget(
  source: DatabaseSync,
  target: Transaction<StoreTables>,
): Promise<void> {
  for (const name of breakerTables) await target.deleteFrom(name).execute()
  await copySearchKeySecret(source, target)
}

export interface MovedTable {
  readonly name: TableName
  readonly rows: number
}
