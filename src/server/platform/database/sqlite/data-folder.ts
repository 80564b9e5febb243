import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { LoggableError } from '#domain/loggable-error.ts'
import {
  findSqliteCodeName,
  formatSystemError,
  isSqliteCorrupt,
  StoreUnavailableError,
  sqliteCorrupt,
} from '../../faults/database-errors.ts'
import type { StoreTables } from '../tables/store-tables.ts'

export const findStoreFile = (dataDir: string): string => resolve(join(dataDir, 'leads.sqlite'))

/** Creates the data folder and its missing parents, which only this user can read. */
export const makeDataFolder = (dataDir: string): void =>
  void mkdirSync(resolve(dataDir), { recursive: true, mode: 0o700 })

/**
 * Checks, without creating anything, whether this user could keep a store in `dataDir`. If the folder is missing, the
 * nearest existing parent must be writable.
 * @throws StoreUnavailableError if the folder or its store is not writable
 */
export function assertWritableFolder(dataDir: string): void {
  const { R_OK, W_OK, X_OK } = constants
  let folder = resolve(dataDir)
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    // Because of the slash, the check fails if the path is a file.
    accessSync(`${folder}/`, W_OK | X_OK)
    if (existsSync(findStoreFile(dataDir))) accessSync(findStoreFile(dataDir), R_OK | W_OK)
  } catch (error) {
    throw toFolderError(dataDir, error)
  }
}

const folderFaults: ReadonlySet<unknown> = new Set([
  'SQLITE_READONLY',
  'SQLITE_IOERR',
  'SQLITE_FULL',
  'SQLITE_CANTOPEN',
])

/** Whether SQLite reports a fault of the file, folder or disk, and not of a statement. */
export const isDiskFault = (error: unknown): boolean =>
  isSqliteCorrupt(error) || folderFaults.has(findSqliteCodeName(error))

/** Explains what is wrong with the folder or its store, and what to do. */
export function toFolderError(dataDir: string, error: unknown): StoreUnavailableError {
  const reason = formatSystemError(error)
  const remedy =
    findSqliteCodeName(error) === 'SQLITE_FULL'
      ? 'Make room on its disk'
      : 'Make it writable for this user'
  const message = isSqliteCorrupt(error)
    ? `${findStoreFile(dataDir)} is damaged or is not a store (${reason}). Copy the folder before you change anything: docs/runbook.md, “Leads are not stored”.`
    : `The data folder ${dataDir} cannot be used (${reason}). ${remedy}, or choose another one with DATA_DIR.`
  return new StoreUnavailableError(message, { cause: error })
}

const findConsoleNote = (dataDir: string): string => resolve(dataDir, 'console-origin')

/** Notes the origin of the console that uses the store in `dataDir`, for commands that print links to the console. */
export function noteConsoleOrigin(dataDir: string, origin: string): void {
  try {
    writeFileSync(findConsoleNote(dataDir), origin, { mode: 0o600 })
  } catch {
    // Without a data folder, as on PostgreSQL, or on a full disk, commands print the default port.
  }
}

/** Returns the origin of the console that was last started on the store in `dataDir`; undefined if it is unknown. */
export const readConsoleOrigin = (dataDir: string): string | undefined =>
  existsSync(findConsoleNote(dataDir)) ? readFileSync(findConsoleNote(dataDir), 'utf8') : undefined

const findDamageMark = (dataDir: string): string => join(dataDir, 'leads.sqlite-damaged')

/**
 * Records that a server found the file damaged. Without this mark, the next process would accept enquiries until it
 * reads the damaged page.
 */
export function markStoreDamaged(dataDir: string): void {
  try {
    writeFileSync(findDamageMark(dataDir), '', { mode: 0o600 })
  } catch {
    // A faulty disk may refuse to store the mark. The server ends anyway.
  }
}

/**
 * If a server has marked the file as damaged, reads the whole file, and removes the mark if the file is sound.
 * @throws StoreUnavailableError if the file is damaged
 */
export async function assertStoreUndamaged(
  dataDir: string,
  db: Kysely<StoreTables>,
): Promise<void> {
  if (!existsSync(findDamageMark(dataDir))) return
  try {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
    const [found = 'ok'] = rows.map(({ quick_check }) => quick_check)
    if (found !== 'ok') {
      const message = found.split('\n', 1)[0]
      throw Object.assign(new LoggableError(message), { errcode: sqliteCorrupt })
    }
  } catch (error) {
    throw toFolderError(dataDir, error)
  }
  rmSync(findDamageMark(dataDir), { force: true })
}
