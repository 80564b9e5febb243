import { LoggableError } from '#domain/loggable-error.ts'
import { codeOf, isBadRow, isPostgresAway, sqliteCode, sqliteCodeName } from './database-errors.ts'

/** The words of `pg` where it gives no code. */
export const wordsOfPg: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
])

/** Names of the system's, the schema's: they say where it was. */
const namesToTell = ['code', 'syscall', 'table', 'column', 'constraint']

/**
 * The parts of an error that a log may contain. Other people's words quote what they were given:
 * PostgreSQL a row's values, V8 the text that is no JSON, Node the value of a wrong type. So a
 * message is logged if it is our own, SQLite's (which names only tables and columns) or one of a
 * closed list; for all others the log has names and the place in the code.
 */
export function sanitizeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { name: 'something was thrown that is no error' }
  const { name, message, stack = '' } = error
  const sqliteName = sqliteCodeName(error)
  return {
    name,
    ...(isPlain(error) ? { message } : {}),
    ...Object.fromEntries(
      namesToTell.map((key) => [key, Reflect.get(error, key)]).filter(([, value]) => isName(value)),
    ),
    ...(sqliteName === undefined
      ? {}
      : { code: sqliteName, errcode: Reflect.get(error, 'errcode') }),
    stack: framesOf(stack, message),
  }
}

const isName = (value: unknown): boolean => typeof value === 'string' && /^\w{1,63}$/.test(value)

const isPlain = (error: Error): boolean =>
  error instanceof LoggableError ||
  ('errcode' in error && typeof error.errcode === 'number') ||
  wordsOfPg.has(error.message)

/** A stack without the message before it, which may have lines that look like the stack's own. */
function framesOf(stack: string, message: string): string {
  const start = stack.indexOf(message)
  if (start === -1) return ''
  const frames = stack.slice(start + message.length).split('\n')
  return frames.filter((line) => line.startsWith('    at ')).join('\n')
}

/** Our own errors speak of the store, but for this one. */
const ofALead = 'UnreadableLeadError'

/**
 * In one word, without personal data, what failed of a single item; undefined where it may be the store, which fails with
 * any item: a disk that is full, a line that is lost, a database that is away.
 */
export function reasonOfFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return 'unknown'
  if (sqliteCode(error) !== undefined) return isBadRow(error) ? sqliteCodeName(error) : undefined
  const code = codeOf(error)
  if (code !== '') return isBadRow(error) ? code : undefined
  const isOfTheStore =
    wordsOfPg.has(error.message) || (error instanceof LoggableError && error.name !== ofALead)
  return isOfTheStore ? undefined : error.name
}

const full = 'disk full'
const readOnly = 'the store is read-only'
const locked = 'another program keeps the database locked'
const denied = 'permission denied'
const damaged = 'the store is damaged'

/** SQLite's, the system's and PostgreSQL's codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
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

/** What keeps the store from working, in a few words for an operator: `disk full`; undefined for any other error. */
export const describeStoreFault = (error: Error): string | undefined =>
  reasons[sqliteCodeName(error) ?? codeOf(error)]

/** Why an enquiry cannot be stored, in a few words for an operator and without personal data: `disk full`. */
export function whyNotStored(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const known = describeStoreFault(error)
  if (known !== undefined) return known
  if (error instanceof LoggableError || error.name === 'StoreUnavailableError') {
    return error.message.replace(/\.$/, '')
  }
  if (isPostgresAway(error)) return 'PostgreSQL does not answer'
  const code = sqliteCodeName(error) ?? codeOf(error)
  return code === '' ? 'the store does not work' : `the store does not work (${code})`
}

/** Shown first on the overview, in `stats`, `/readyz` and the log. */
export const cannotSubmit = (error: unknown): string =>
  `Visitors can't submit enquiries: ${whyNotStored(error)}`
