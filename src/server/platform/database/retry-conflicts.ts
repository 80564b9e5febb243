import { setTimeout } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { codeOf, sqliteBusy, sqliteCode } from '../faults/database-errors.ts'
import type { StoreTables } from './tables/store-tables.ts'

const maxTries = 6
/** Doubled with every try: about 0.6 s in all at most, on top of SQLite's own waiting. */
const firstPauseMs = 20

/** Runs again what the database undid because of somebody else's transaction. Anything else rejects at once. */
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

/** Runs a transaction, again where the database undid it because of another one. */
export const inTransaction = <Result>(
  db: Kysely<StoreTables>,
  run: (store: Transaction<StoreTables>) => Promise<Result>,
): Promise<Result> => retryConflicts(() => db.transaction().execute(run))

/** serialization_failure, deadlock_detected and lock_not_available, which comes of a `lock_timeout`. */
const postgresConflicts: ReadonlySet<string> = new Set(['40001', '40P01', '55P03'])

/**
 * Those above, and SQLite's busy with all its extended codes. A lost connection is not one of
 * them: nobody knows whether a COMMIT arrived.
 */
function isConflict(error: unknown): boolean {
  const code = sqliteCode(error)
  if (code !== undefined) return code === sqliteBusy
  return postgresConflicts.has(codeOf(error))
}
