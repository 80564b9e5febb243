import { OwnError } from '#domain/own-error.ts'
import { isPostgresAway } from './is-postgres-away.ts'
import { sqliteCodeName } from './sqlite-code.ts'

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

/** Why an enquiry cannot be stored, in a few words for an operator and without personal data: `disk full`. */
export function whyNotStored(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const code = sqliteCodeName(error) ?? ('code' in error ? String(error.code) : '')
  const known = reasons[code]
  if (known !== undefined) return known
  if (error instanceof OwnError || error.name === 'StoreUnavailableError') {
    return error.message.replace(/\.$/, '')
  }
  if (isPostgresAway(error)) return 'PostgreSQL does not answer'
  return code === '' ? 'the store does not work' : `the store does not work (${code})`
}

/** What leads the overview, `stats`, `/readyz` and the log. */
export const cannotSubmit = (error: unknown): string =>
  `Visitors can't submit enquiries: ${whyNotStored(error)}`
