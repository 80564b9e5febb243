import { isSqliteCorrupt } from '../../faults/sqlite-code.ts'

/** PostgreSQL's class XX00n, SQLite's own: no other table's good state says that it is over. */
export function isCorrupt(error: unknown): boolean {
  if (isSqliteCorrupt(error)) return true
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^XX00[12]$/.test(error.code)
  )
}
