import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findSqliteCode, StoreUnavailableError, sqliteBusy } from '../../faults/database-errors.ts'
import { describeServer, type RunningServer } from '../lead-database.ts'
import { findStoreFile, makeDataFolder, toFolderError } from './data-folder.ts'

/** How long a second server waits for the lock, in milliseconds: longer than a command reads the server's name. */
const busyTimeoutMs = 500

/**
 * Node has no file locks, so the server keeps a transaction open in a small SQLite database beside the store. The lock
 * ends with the process, even after `kill -9`. The lock database's only row names the server.
 */
const findLockFile = (dataDir: string): string => join(dataDir, 'server.lock')

/**
 * Makes this process the only server on a SQLite store: two servers would claim the same deliveries and apply rate
 * limits separately.
 * @returns a function that releases the lock
 * @throws StoreUnavailableError that names the server which holds the lock
 */
export function lockStoreForServer(dataDir: string, name: string): () => void {
  const database = openLock(dataDir)
  try {
    writeServerName(database, name)
    database.exec('begin immediate')
    return () => database.close()
  } catch (error) {
    const first = readLockHolder(database)
    database.close()
    if (findSqliteCode(error) !== sqliteBusy) throw toFolderError(dataDir, error)
    throw new StoreUnavailableError(
      `A server uses the store in ${dataDir} already: ${describeServer(first)}. Stop that server first, or choose ` +
        'another DATA_DIR. Several servers can share a store only on PostgreSQL (DATABASE_URL).',
    )
  }
}

export function findLockHolder(dataDir: string): RunningServer | undefined {
  if (!existsSync(findLockFile(dataDir))) return undefined
  using database = new DatabaseSync(findLockFile(dataDir), { timeout: 0 })
  try {
    database.exec('begin immediate; rollback')
    return undefined
  } catch (error) {
    if (findSqliteCode(error) !== sqliteBusy) throw toFolderError(dataDir, error)
    return readLockHolder(database)
  }
}

function openLock(dataDir: string): DatabaseSync {
  try {
    makeDataFolder(dataDir)
    // Closing an existing file would release this process's own locks on it.
    if (!existsSync(findLockFile(dataDir))) closeSync(openSync(findLockFile(dataDir), 'a', 0o600))
    return new DatabaseSync(findLockFile(dataDir), { timeout: busyTimeoutMs })
  } catch (error) {
    throw toFolderError(dataDir, error)
  }
}

/** Writes the server's name for other processes. The lock works without the name, as on a full disk. */
function writeServerName(database: DatabaseSync, name: string): void {
  database.exec('pragma journal_mode = memory; pragma synchronous = off; begin immediate')
  try {
    database.exec('create table if not exists server (name text not null, since integer not null)')
    database.exec('delete from server')
    database.prepare('insert into server values (?, ?)').run(name, Date.now())
    database.exec('commit')
  } catch {
    if (database.isTransaction) database.exec('rollback')
  }
}

function readLockHolder(database: DatabaseSync): RunningServer {
  try {
    const row = database.prepare('select name, since from server').get()
    return { name: row?.name as string | undefined, since: row?.since as number | undefined }
  } catch {
    return { name: undefined, since: undefined }
  }
}

const commandTimeoutMs = 1000

/**
 * Opens `<dataDir>/leads.sqlite` with an exclusive lock, so that no other process can use the file. Another process
 * that has the file open makes this function fail, because it holds a shared lock in WAL mode
 * (https://sqlite.org/wal.html#use_of_wal_without_shared_memory).
 */
export function openSqliteExclusively(
  dataDir: string,
): DatabaseSync | 'no source' | 'source in use' {
  const file = findStoreFile(dataDir)
  if (!existsSync(file)) return 'no source'
  const database = new DatabaseSync(file, { timeout: commandTimeoutMs })
  try {
    database.exec('pragma locking_mode = exclusive')
    database.exec('begin immediate; commit')
    return database
  } catch (error) {
    database.close()
    if (findSqliteCode(error) === sqliteBusy) return 'source in use'
    throw error
  }
}
