import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { isSqliteCorrupt, StoreUnavailableError } from '../../faults/database-errors.ts'
import type { OpenedDatabase } from '../lead-database.ts'
import { migrateStore } from '../migrations/migrate-store.ts'
import { retryConflicts } from '../retry-conflicts.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { findStoreFile, makeDataFolder, toFolderError } from './data-folder.ts'
import { findLockHolder } from './server-lock.ts'
import { makeSqliteConnections } from './sqlite-connections.ts'

/**
 * The writer copies the write-ahead log into the file once the log has 16 MB. SQLite's default of 1,000 pages cost two
 * more fsyncs for every seven batches of 64 leads, and storing a lead took 1.6 times as long.
 */
const checkpointAfterPages = 4000

/** How often the process checks that the open file still has its name, in milliseconds. */
const watchIntervalMs = 1000

/** The open file still has every lead, but ends with the process. */
const describeReplacement = (file: string): string =>
  `${file} was replaced or removed while process ${process.pid} uses it. Don't end the process before you have copied its open file: docs/runbook.md, “Leads are not stored”.`

/** The maximum number of tries to empty the write-ahead log, which may still contain an erased person's data. */
const maxTruncations = 10
const truncateAgainAfterMs = 200

/**
 * Opens `<dataDir>/leads.sqlite`, which must be on a local disk (write-ahead logging is unsafe on NFS and SMB).
 * @throws StoreUnavailableError if the folder is not writable or the file is not set up for durability
 */
export async function openSqlite(dataDir: string): Promise<OpenedDatabase> {
  const file = findStoreFile(dataDir)
  const damage = Promise.withResolvers<StoreUnavailableError>()
  const replacement = Promise.withResolvers<StoreUnavailableError>()
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
  const opened = statSync(file).ino
  const watch = setInterval(() => {
    if (statSync(file, { throwIfNoEntry: false })?.ino !== opened) {
      replacement.resolve(new StoreUnavailableError(describeReplacement(file)))
    }
  }, watchIntervalMs).unref()
  return {
    place: file,
    db,
    migrationDb: db,
    longQueryDb: db,
    consoleDb: new Kysely<StoreTables>({ dialect: connections.timeLimitedDialect }),
    damaged: damage.promise,
    replaced: replacement.promise,
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
      // Writing the same `user_version` again reaches the disk and changes nothing.
      await sql`pragma user_version = 0`.execute(db)
    },
    wipe: async () => {
      // While SQLite waited for other connections, visitors would have to wait, too, so this loop tries again instead.
      for (let tries = 1; tries <= maxTruncations; tries++) {
        if (await connections.truncateLog()) return 'wiped'
        await setTimeout(truncateAgainAfterMs)
      }
      return 'wipe again'
    },
    close: () => {
      clearInterval(watch)
      return db.destroy()
    },
  }
}

async function configureDatabase(db: Kysely<StoreTables>): Promise<void> {
  await sql`pragma journal_mode = wal`.execute(db)
  await sql`pragma synchronous = full`.execute(db)
  // On macOS a plain fsync leaves the data in the drive's cache: https://sqlite.org/pragma.html#pragma_fullfsync
  await sql`pragma fullfsync = on`.execute(db)
  await sql`pragma checkpoint_fullfsync = on`.execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
  // With this setting, SQLite overwrites deleted and moved data, so that the file keeps nothing of an erased person.
  await sql`pragma secure_delete = on`.execute(db)
  // Without this setting, SQLite writes large statements' undo data to a file, which took a sixth of the thread's time.
  await sql`pragma temp_store = memory`.execute(db)
  await sql.raw(`pragma wal_autocheckpoint = ${checkpointAfterPages}`).execute(db)
}

/** Creates the store's file for this user only. SQLite gives the write-ahead log beside it the same mode. */
function createPrivateFile(dataDir: string, file: string): void {
  makeDataFolder(dataDir)
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (statSync(file).isDirectory()) throw new Error(`EISDIR: ${file} is a folder`)
    // `accessSync` doesn't open the file, because closing it would release this process's locks on it.
    accessSync(file, constants.R_OK | constants.W_OK)
  }
}

/**
 * Checks the durability settings, because SQLite ignores settings that it cannot apply, and a power cut could then lose
 * an acknowledged lead.
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
