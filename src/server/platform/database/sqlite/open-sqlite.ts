import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { Kysely, sql } from 'kysely'
import { isSqliteCorrupt } from '../../faults/sqlite-code.ts'
import { StoreUnavailableError } from '../faults/store-unavailable-error.ts'
import type { LeadDatabase } from '../lead-database.ts'
import { migrateStore } from '../migrations/migrate-store.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { dataFolderFault, makeDataFolder, storeFile } from './data-folder.ts'
import { isSqliteTooOld, oldestSqliteVersion } from './oldest-sqlite.ts'
import { findServer } from './server-lock.ts'
import { SqliteConnections } from './threads/sqlite-connections.ts'
import { ThreadDialect } from './threads/thread-dialect.ts'
import { truncateLog } from './truncate-log.ts'

/**
 * How far the log grows before the writer itself copies it into the file: 64 MB. The checkpointer has copied nearly all
 * by then. SQLite's own 1,000 pages are reached every seven batches of 64 leads, and with two more fsyncs each time
 * accepting took 1.6 times as long.
 */
const checkpointAfterPages = 16000

/**
 * Opens `<dataDir>/leads.sqlite`, which must be on a local disk (write-ahead logging is unsafe on NFS and SMB).
 * @throws StoreUnavailableError where the folder cannot be written to or the file does not promise durability
 */
export async function openSqlite(dataDir: string): Promise<LeadDatabase> {
  const file = storeFile(dataDir)
  let connections: SqliteConnections | undefined
  const damage = Promise.withResolvers<StoreUnavailableError>()
  try {
    createPrivately(dataDir, file)
    const opened = await SqliteConnections.open(file, (error) => {
      if (isSqliteCorrupt(error)) damage.resolve(dataFolderFault(dataDir, error))
    })
    connections = opened
    const db = new Kysely<StoreTables>({ dialect: new ThreadDialect(opened) })
    const bounded = new Kysely<StoreTables>({ dialect: new ThreadDialect(opened.boundedly()) })
    await setUp(db)
    await verify(db)
    return {
      place: file,
      db,
      patient: db,
      bounded,
      damaged: damage.promise,
      storeArrival: (arrival) => opened.storeArrival(arrival),
      locking: 'file',
      claimDue: (claim) => opened.claimDue(claim),
      recordAttempts: (attempts) => opened.recordAttempts(attempts),
      eraseOldLeads: (order) => opened.eraseOldLeads(order),
      writeJobStep: (step) => opened.writeJobStep(step),
      migrate: () => migrateStore(db),
      hasTable: async (name) => {
        const { rows } = await sql`select 1 from sqlite_master where name = ${name}`.execute(db)
        return rows.length > 0
      },
      servers: async () => {
        const server = findServer(dataDir)
        return server === undefined ? [] : [server]
      },
      assertWritable: async () => {
        // Any write will do: this one goes the whole way to the disk, and changes nothing.
        await sql`pragma user_version = 0`.execute(db)
      },
      wipe: () => truncateLog(() => opened.truncateLog()),
      close: () => db.destroy(),
    }
  } catch (error) {
    await connections?.close()
    if (error instanceof StoreUnavailableError) throw error
    throw dataFolderFault(dataDir, error)
  }
}

async function setUp(db: Kysely<StoreTables>): Promise<void> {
  // Two processes that switch a new file to WAL at once: SQLite refuses one of them without waiting.
  await retryConflicts(() => sql`pragma journal_mode = wal`.execute(db))
  await sql`pragma synchronous = full`.execute(db)
  // On macOS a plain fsync leaves the data in the drive's cache: https://sqlite.org/pragma.html#pragma_fullfsync
  await sql`pragma fullfsync = on`.execute(db)
  await sql`pragma checkpoint_fullfsync = on`.execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
  // Overwrites what is deleted or moved: an erased person's data are not to be found in the file.
  await sql`pragma secure_delete = on`.execute(db)
  // What undoes a statement with many rows is else written to a file: a sixth of the thread's time.
  await sql`pragma temp_store = memory`.execute(db)
  await sql.raw(`pragma wal_autocheckpoint = ${checkpointAfterPages}`).execute(db)
}

/** The file holds personal data. SQLite gives the log beside it the same mode. */
function createPrivately(dataDir: string, file: string): void {
  makeDataFolder(dataDir)
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (statSync(file).isDirectory()) throw new Error(`EISDIR: ${file} is a folder`)
    // Not opened: to close it would give up the locks by which other processes see that this one has it open.
    accessSync(file, constants.R_OK | constants.W_OK)
  }
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
