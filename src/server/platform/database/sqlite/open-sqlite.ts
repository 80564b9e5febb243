import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { isSqliteCorrupt, StoreUnavailableError } from '../../faults/database-errors.ts'
import type { LeadDatabase } from '../lead-database.ts'
import { migrateStore } from '../migrations/migrate-store.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { findStoreFile, makeDataFolder, toFolderError } from './data-folder.ts'
import { findLockHolder } from './server-lock.ts'
import { makeSqliteConnections } from './sqlite-connections.ts'

/**
 * The writer copies the write-ahead log into the file when the log has reached 16 MB. With SQLite's default of 1,000
 * pages, two further fsyncs came every seven batches of 64 leads, and storing a lead took 1.6 times as long.
 */
const checkpointAfterPages = 4000

/** How often to try to empty the write-ahead log, which may contain pages from before an erasure. */
const maxTruncations = 10
const truncateAgainAfterMs = 200

/**
 * Opens `<dataDir>/leads.sqlite`, which must be on a local disk (write-ahead logging is unsafe on NFS and SMB).
 * @throws StoreUnavailableError if the folder is not writable or the file is not set up for durability
 */
export async function openSqlite(dataDir: string): Promise<LeadDatabase> {
  const file = findStoreFile(dataDir)
  const damage = Promise.withResolvers<StoreUnavailableError>()
  const connections = makeSqliteConnections(file, (error) => {
    if (isSqliteCorrupt(error)) damage.resolve(toFolderError(dataDir, error))
  })
  const db = new Kysely<StoreTables>({ dialect: connections.dialect })
  try {
    createPrivateFile(dataDir, file)
    await configureDatabase(db)
    await verifyDurability(db)
  } catch (error) {
    await connections.close()
    throw error instanceof StoreUnavailableError ? error : toFolderError(dataDir, error)
  }
  return {
    place: file,
    db,
    migrationDb: db,
    longQueryDb: db,
    consoleDb: new Kysely<StoreTables>({ dialect: connections.timeLimitedDialect }),
    damaged: damage.promise,
    run: (task, argument) => retryConflicts(() => connections.run(task, argument)),
    migrate: () => migrateStore(db),
    hasTable: async (name) => {
      const { rows } = await sql`select 1 from sqlite_master where name = ${name}`.execute(db)
      return rows.length > 0
    },
    servers: async () => {
      const server = findLockHolder(dataDir)
      return server === undefined ? [] : [server]
    },
    assertWritable: async () => {
      // Writing the unchanged version reaches the disk and changes nothing.
      await sql`pragma user_version = 0`.execute(db)
    },
    wipe: async () => {
      // Waiting for another connection to end its read or write would block visitors, so this function tries again.
      for (let tries = 1; tries <= maxTruncations; tries++) {
        if (await connections.truncateLog()) return 'wiped'
        await setTimeout(truncateAgainAfterMs)
      }
      return 'wipe again'
    },
    close: () => db.destroy(),
  }
}

async function configureDatabase(db: Kysely<StoreTables>): Promise<void> {
  await sql`pragma journal_mode = wal`.execute(db)
  await sql`pragma synchronous = full`.execute(db)
  // On macOS a plain fsync leaves the data in the drive's cache: https://sqlite.org/pragma.html#pragma_fullfsync
  await sql`pragma fullfsync = on`.execute(db)
  await sql`pragma checkpoint_fullfsync = on`.execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
  // SQLite overwrites deleted and moved data, so that an erased person's data cannot be found in the file.
  await sql`pragma secure_delete = on`.execute(db)
  // SQLite would otherwise write the undo data of large statements to a file, which took a sixth of the thread's time.
  await sql`pragma temp_store = memory`.execute(db)
  await sql.raw(`pragma wal_autocheckpoint = ${checkpointAfterPages}`).execute(db)
}

/** Creates the file readable by this user only. SQLite gives the log beside it the same mode. */
function createPrivateFile(dataDir: string, file: string): void {
  makeDataFolder(dataDir)
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (statSync(file).isDirectory()) throw new Error(`EISDIR: ${file} is a folder`)
    // Opening and closing the file here would release this process's locks on it.
    accessSync(file, constants.R_OK | constants.W_OK)
  }
}

/**
 * Checks the durability settings: SQLite ignores settings that it cannot apply, and a power cut could then lose an
 * acknowledged lead.
 */
async function verifyDurability(db: Kysely<StoreTables>): Promise<void> {
  const { rows } = await sql<{ journal: string; sync: number; keys: number }>`
    select journal_mode as journal, synchronous as sync, foreign_keys as keys
    from pragma_journal_mode, pragma_synchronous, pragma_foreign_keys`.execute(db)
  const [found] = rows
  if (found?.journal !== 'wal' || found.sync !== 2 || found.keys !== 1) {
    throw new StoreUnavailableError(
      `SQLite did not apply the settings that keep leads safe: journal_mode ${found?.journal}, ` +
        `synchronous ${found?.sync}, foreign_keys ${found?.keys}. Is DATA_DIR on a local disk?`,
    )
  }
}
