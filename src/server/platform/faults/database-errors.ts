import { LoggableError } from '#domain/loggable-error.ts'

/**
 * The connection to PostgreSQL ended, or was given up, before the answer: whether the statement took effect, a commit
 * above all, cannot be known.
 */
export class ConnectionLostError extends LoggableError {
  override readonly name = 'ConnectionLostError'
}

/** PostgreSQL’s classes of errors that are about no statement of ours: no connection, no room, stopping, read-only. */
const postgresAway = /^(08|53|57|58)...$|^25006$/
/** Node’s and the resolver’s, where there is no connection. */
const networkAway = /^(ECONN|EHOST|ENET|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_)/
/**
 * The driver’s own words, without a code; the last are Kysely’s (0.29), where the roll-back failed as well: in a migration
 * they come in the place of what was met first.
 */
const driverAway =
  /^(Connection terminated|timeout exce|Client (was closed|has encountered)|Postgres connection has been discarded)/

/** Is it the database that is away, rather than a statement of ours that it will not have? */
export function isPostgresAway(error: Error): boolean {
  if (error instanceof ConnectionLostError || driverAway.test(error.message)) return true
  const code = codeOf(error)
  return postgresAway.test(code) || networkAway.test(code)
}

/** The code that Node or PostgreSQL gave an error; empty without one. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

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

/** PostgreSQL's classes 22 and 23 (data, constraint), SQLite's constraint; none of them can come of a COMMIT. */
export function isBadRow(error: unknown): boolean {
  const code = sqliteCode(error)
  if (code !== undefined) return code === sqliteConstraint
  return /^2[23]/.test(codeOf(error))
}

/** PostgreSQL's class XX00n, SQLite's own: no other table's good state says that it is over. */
export const isCorrupt = (error: unknown): boolean =>
  isSqliteCorrupt(error) || /^XX00[12]$/.test(codeOf(error))

/** How long a query of the console may run or wait for its turn, in milliseconds. */
export const queryLimitMs = 5000

/** A query of the console was stopped at {@link queryLimitMs}. Nothing was changed. */
export class QueryTooLongError extends LoggableError {
  override readonly name = 'QueryTooLongError'

  constructor() {
    super(`A query of the console was stopped after ${queryLimitMs} ms.`)
  }
}

/** PostgreSQL's query_canceled, which comes of `statement_timeout`. */
const postgresCanceled = '57014'

export const isQueryTooLong = (error: unknown): boolean =>
  error instanceof QueryTooLongError || codeOf(error) === postgresCanceled

/**
 * The storage cannot be used as it is set up. The message says what to change, and contains no
 * password.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}

/**
 * The system's code for a fault, if it has one (`EACCES`, `ECONNREFUSED`, `28P01`, `SQLITE_FULL`),
 * and its message.
 */
export function systemMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [sqliteCodeName(error) ?? codeOf(error), error.message]
    .filter((part) => part !== '')
    .join(': ')
}
