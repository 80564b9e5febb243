import { LoggableError } from '#domain/loggable-error.ts'

/** The connection to PostgreSQL was lost before the answer, so nobody knows whether the statement took effect. */
export class ConnectionLostError extends LoggableError {
  override readonly name = 'ConnectionLostError'
}

/** PostgreSQL’s error classes for an unavailable database: no connection, no resources, shutting down, read-only. */
const postgresUnavailable = /^(08|53|57|58)...$|^25006$/
const networkUnavailable = /^(ECONN|EHOST|ENET|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_)/
/**
 * Messages of the PostgreSQL driver that come without a code. The last pattern is the message of Kysely (0.29) for a
 * failed rollback, which hides a migration's original error.
 */
const driverUnavailable =
  /^(Connection terminated|timeout ex|Client (was closed|has encountered)|Cannot use a pool|Postgres connection has been discarded)/
export const isDriverError = (error: Error): boolean => driverUnavailable.test(error.message)

export function isPostgresUnavailable(error: Error): boolean {
  if (error instanceof ConnectionLostError || isDriverError(error)) return true
  const code = findErrorCode(error)
  return postgresUnavailable.test(code) || networkUnavailable.test(code)
}

export const findErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** SQLite's primary result codes that this product checks (https://sqlite.org/rescode.html). */
export const sqliteBusy = 5
export const sqliteCorrupt = 11
const sqliteConstraint = 19
const sqliteNotADatabase = 26

/** The primary code of a SQLite error, which is the lowest byte of its extended code; undefined for other errors. */
export function findSqliteCode(error: unknown): number | undefined {
  const isOurs = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return isOurs ? (error.errcode as number) & 0xff : undefined
}

export function isSqliteCorrupt(error: unknown): boolean {
  const code = findSqliteCode(error)
  return code === sqliteCorrupt || code === sqliteNotADatabase
}

/** The names of SQLite's primary error codes, from 1 on. */
const names = [
  ...['ERROR', 'INTERNAL', 'PERM', 'ABORT', 'BUSY', 'LOCKED', 'NOMEM', 'READONLY', 'INTERRUPT'],
  ...['IOERR', 'CORRUPT', 'NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY', 'SCHEMA', 'TOOBIG'],
  ...['CONSTRAINT', 'MISMATCH', 'MISUSE', 'NOLFS', 'AUTH', 'FORMAT', 'RANGE', 'NOTADB'],
]

/**
 * Returns SQLite's name of an error, such as `SQLITE_FULL`; undefined for other errors. Node's own `code` is always
 * `ERR_SQLITE_ERROR`.
 */
export function findSqliteCodeName(error: unknown): string | undefined {
  const name = names[(findSqliteCode(error) ?? 0) - 1]
  return name === undefined ? undefined : `SQLITE_${name}`
}

/**
 * Whether the database refused a row's value and committed nothing, as PostgreSQL's classes 22 and 23 (data,
 * constraint) and SQLite's constraint errors say.
 */
export function isInvalidRow(error: unknown): boolean {
  const code = findSqliteCode(error)
  if (code !== undefined) return code === sqliteConstraint
  return /^2[23]/.test(findErrorCode(error))
}

/**
 * Whether an error shows that stored data is damaged, as PostgreSQL's XX001 and XX002 and SQLite's own codes do. A
 * later success on another table does not prove that the damage is gone.
 */
export const isCorrupt = (error: unknown): boolean =>
  isSqliteCorrupt(error) || /^XX00[12]$/.test(findErrorCode(error))

/** How long a query of the console may run, and how long it may wait before it runs, in milliseconds. */
export const queryLimitMs = 5000

export class QueryTooLongError extends LoggableError {
  override readonly name = 'QueryTooLongError'

  constructor() {
    super(`A query of the console was stopped after ${queryLimitMs} ms.`)
  }
}

/** PostgreSQL's query_canceled, which follows a `statement_timeout`. */
const postgresCanceled = '57014'

export const isQueryTooLong = (error: unknown): boolean =>
  error instanceof QueryTooLongError || findErrorCode(error) === postgresCanceled

/** The configured storage cannot be used. The message says what to change, and contains no password. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}

/** Returns an error's message after its code, such as `EACCES`, `28P01` or `SQLITE_FULL`. */
export function formatSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [findSqliteCodeName(error) ?? findErrorCode(error), error.message]
    .filter((part) => part !== '')
    .join(': ')
}
