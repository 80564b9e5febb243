import { setTimeout } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { findErrorCode, findSqliteCode, sqliteBusy } from '../faults/database-errors.ts'
import type { StoreTables } from './tables/store-tables.ts'

const maxTries = 6
/** The longest pause before the first retry, in milliseconds. The limit doubles for each further retry. */
const firstPauseMs = 20

/**
 * Retries work that the database rolled back because of another transaction. Other errors reject at once. SQLite and
 * PostgreSQL use this function for each `DatabaseTask`, and for each statement outside of a transaction.
 */
export async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (tries === maxTries || !isConflict(error)) throw error
      await setTimeout(Math.random() * firstPauseMs * 2 ** (tries - 1))
    }
  }
}

/** Runs a transaction, and retries it if the database rolled it back because of another transaction. */
export const runInTransaction = <Result>(
  db: Kysely<StoreTables>,
  run: (tx: Transaction<StoreTables>) => Promise<Result>,
): Promise<Result> => retryConflicts(() => db.transaction().execute(run))

/** PostgreSQL's serialization_failure, deadlock_detected and lock_not_available, which follows a `lock_timeout`. */
const postgresConflicts: ReadonlySet<string> = new Set(['40001', '40P01', '55P03'])

/**
 * Whether the error is a PostgreSQL conflict or any SQLITE_BUSY code. A lost connection is not a conflict, because
 * nobody knows whether its COMMIT arrived.
 */
function isConflict(error: unknown): boolean {
  const code = findSqliteCode(error)
  if (code !== undefined) return code === sqliteBusy
  return postgresConflicts.has(findErrorCode(error))
}
