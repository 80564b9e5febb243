import { sqliteCodeName } from '../../faults/sqlite-code.ts'

/** The storage cannot be used as it is set up. The message tells an operator what to change, and holds no password. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}

/** What the system says of a fault: its code where it has one (`EACCES`, `ECONNREFUSED`, `28P01`, `SQLITE_FULL`), and its words. */
export function systemMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const given = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const code = sqliteCodeName(error) ?? given
  return [code, error.message].filter((part) => part !== '').join(': ')
}
