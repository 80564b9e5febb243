import { LoggableError } from '#domain/loggable-error.ts'
import {
  findErrorCode,
  findSqliteCode,
  findSqliteCodeName,
  isDriverError,
  isInvalidRow,
  isPostgresUnavailable,
} from './database-errors.ts'

/** Properties of an error that name a system call or a part of the schema, never a value. */
const loggedProperties = ['code', 'syscall', 'table', 'column', 'constraint']

/**
 * Returns the parts of an error that a log may contain. Keeps only messages of this product, of SQLite, which names
 * only tables and columns, and of the PostgreSQL driver. Other messages may quote personal data, as PostgreSQL quotes a
 * row's values, and V8 invalid JSON. Instead of such a message, a log contains only names and the place in the code.
 */
export function sanitizeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { name: 'a thrown value that is not an error' }
  const { name, message, stack = '' } = error
  const sqliteName = findSqliteCodeName(error)
  return {
    name,
    ...(isPlainError(error) ? { message } : {}),
    ...Object.fromEntries(
      loggedProperties
        .map((key) => [key, Reflect.get(error, key)])
        .filter(([, value]) => isErrorName(value)),
    ),
    ...(sqliteName === undefined
      ? {}
      : { code: sqliteName, errcode: Reflect.get(error, 'errcode') }),
    stack: findStackFrames(stack, message),
  }
}

const isErrorName = (value: unknown): boolean =>
  typeof value === 'string' && /^\w{1,63}$/.test(value)

const isPlainError = (error: Error): boolean =>
  error instanceof LoggableError ||
  ('errcode' in error && typeof error.errcode === 'number') ||
  isDriverError(error)

/** Returns the lines of the stack without the message, because lines of the message may look like stack lines. */
function findStackFrames(stack: string, message: string): string {
  const start = stack.indexOf(message)
  if (start === -1) return ''
  const frames = stack.slice(start + message.length).split('\n')
  return frames.filter((line) => line.startsWith('    at ')).join('\n')
}

/**
 * Returns in one word, without personal data, why a single item failed. Returns undefined if every other item would
 * fail, too, for example because the disk is full or the database can't be reached.
 */
export function classifyItemError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return 'unknown'
  if (findSqliteCode(error) !== undefined)
    return isInvalidRow(error) ? findSqliteCodeName(error) : undefined
  const code = findErrorCode(error)
  if (code !== '') return isInvalidRow(error) ? code : undefined
  return isDriverError(error) || error instanceof LoggableError ? undefined : error.name
}

const full = 'disk full'
const readOnly = 'the store is read-only'
const locked = 'another program keeps the database locked'
const denied = 'permission denied'
const damaged = 'the store is damaged'

/** Causes by code of SQLite, system or PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const reasons: Readonly<Record<string, string>> = {
  SQLITE_FULL: full,
  ENOSPC: full,
  '53100': full,
  SQLITE_READONLY: readOnly,
  EROFS: readOnly,
  '25006': readOnly,
  SQLITE_IOERR: 'the disk does not read or write',
  EIO: 'the disk does not read or write',
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  '55P03': locked,
  SQLITE_CANTOPEN: 'the store file cannot be opened',
  SQLITE_PERM: denied,
  EACCES: denied,
  '42501': denied,
  '53300': 'PostgreSQL has no connection left',
  SQLITE_CORRUPT: damaged,
  SQLITE_NOTADB: damaged,
  XX001: damaged,
  XX002: damaged,
}

/** Describes for operators what keeps the store from working, such as `disk full`; undefined for any other error. */
export const describeStoreFault = (error: Error): string | undefined =>
  reasons[findSqliteCodeName(error) ?? findErrorCode(error)]

/** Describes for operators, without personal data, why enquiries cannot be stored, such as `disk full`. */
export function explainStorageFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const known = describeStoreFault(error)
  if (known !== undefined) return known
  if (error instanceof LoggableError || error.name === 'StoreUnavailableError') {
    return error.message.replace(/\.$/, '')
  }
  if (isPostgresUnavailable(error)) return 'PostgreSQL does not answer'
  const code = findSqliteCodeName(error) ?? findErrorCode(error)
  return code === '' ? 'the store does not work' : `the store does not work (${code})`
}

/** The message of the overview, `stats`, `/readyz` and the log when enquiries cannot be stored. */
export const describeStorageOutage = (error: unknown): string =>
  `Visitors can't submit enquiries: ${explainStorageFailure(error)}`
