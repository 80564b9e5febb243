import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { isSqliteTooOld, oldestSqliteVersion } from './oldest-sqlite.ts'
import { retryConflicts } from './retry-conflicts.ts'
import { NodeSqliteDialect } from './sqlite-dialect.ts'
import type { StoreTables } from './store-tables.ts'
import { faultOf, StoreUnavailableError } from './store-unavailable-error.ts'

/** SQLite waits in the calling thread, so this also bounds how long the event loop stands still; then we retry. */
const busyTimeoutMs = 1000

/**
 * Opens `<dataDir>/leads.sqlite`, which must be on a local disk (write-ahead logging is unsafe on NFS and SMB).
 * @throws StoreUnavailableError where the folder cannot be written to or the file does not promise durability
 */
export async function openSqlite(dataDir: string): Promise<Kysely<StoreTables>> {
  const file = join(dataDir, 'leads.sqlite')
  let database: DatabaseSync | undefined
  try {
    createPrivately(dataDir, file)
    const opened = new DatabaseSync(file, { timeout: busyTimeoutMs })
    database = opened
    // Two processes that switch a new file to WAL at once: SQLite refuses one of them without waiting.
    await retryConflicts(async () => opened.exec('pragma journal_mode = wal'))
    opened.exec('pragma synchronous = full')
    // On macOS a plain fsync leaves the data in the drive's cache: https://sqlite.org/pragma.html#pragma_fullfsync
    opened.exec('pragma fullfsync = on; pragma checkpoint_fullfsync = on')
    opened.exec('pragma foreign_keys = on')
    const db = new Kysely<StoreTables>({ dialect: new NodeSqliteDialect(opened) })
    await verify(db)
    return db
  } catch (error) {
    if (database?.isOpen) database.close()
    if (error instanceof StoreUnavailableError) throw error
    throw new StoreUnavailableError(
      `The data folder ${dataDir} cannot be used (${faultOf(error)}). ` +
        'Make it writable for this user, or choose another one with DATA_DIR.',
      { cause: error },
    )
  }
}

/** The file holds personal data. SQLite gives the log beside it the same mode. */
function createPrivately(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/** Without these an acknowledged lead can be lost at a power cut, and SQLite ignores what it cannot set. */
async function verify(db: Kysely<StoreTables>): Promise<void> {
  const { rows } = await sql<{ version: string; journal: string; sync: number; keys: number }>`
    select sqlite_version() as version, journal_mode as journal, synchronous as sync, foreign_keys as keys
    from pragma_journal_mode, pragma_synchronous, pragma_foreign_keys`.execute(db)
  const found = rows[0]
  if (found === undefined || isSqliteTooOld(found.version)) {
    throw new StoreUnavailableError(
      `SQLite ${found?.version} is too old: ${oldestSqliteVersion} or later is needed. Update Node.`,
    )
  }
  if (found.journal !== 'wal' || found.sync !== 2 || found.keys !== 1) {
    throw new StoreUnavailableError(
      `SQLite did not take the settings that keep leads safe: journal_mode ${found.journal}, ` +
        `synchronous ${found.sync}, foreign_keys ${found.keys}. Is DATA_DIR on a local disk?`,
    )
  }
}
