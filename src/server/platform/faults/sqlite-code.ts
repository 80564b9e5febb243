/** SQLite's primary result codes that we decide by (https://sqlite.org/rescode.html). */
export const sqliteBusy = 5
const sqliteCorrupt = 11
export const sqliteConstraint = 19
const sqliteNotADatabase = 26

/** The primary code of an error of SQLite's, which its extended codes hold in their lowest byte; else undefined. */
export function sqliteCode(error: unknown): number | undefined {
  const isOurs = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return isOurs ? (error.errcode as number) & 0xff : undefined
}

/** The file is damaged, or none of SQLite's. */
export function isSqliteCorrupt(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === sqliteCorrupt || code === sqliteNotADatabase
}

/** The errors among the primary codes, from 1 on. */
const names = [
  ...['ERROR', 'INTERNAL', 'PERM', 'ABORT', 'BUSY', 'LOCKED', 'NOMEM', 'READONLY', 'INTERRUPT'],
  ...['IOERR', 'CORRUPT', 'NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY', 'SCHEMA', 'TOOBIG'],
  ...['CONSTRAINT', 'MISMATCH', 'MISUSE', 'NOLFS', 'AUTH', 'FORMAT', 'RANGE', 'NOTADB'],
]

/**
 * SQLite's own name of an error of its, such as `SQLITE_FULL`, where Node's `code` says `ERR_SQLITE_ERROR` of each; else
 * undefined.
 */
export function sqliteCodeName(error: unknown): string | undefined {
  const name = names[(sqliteCode(error) ?? 0) - 1]
  return name === undefined ? undefined : `SQLITE_${name}`
}
