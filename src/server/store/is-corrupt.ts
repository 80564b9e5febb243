import { sqliteCode, sqliteCorrupt, sqliteNotADatabase } from './sqlite-code.ts'

/** PostgreSQL's class XX00n, SQLite's own: no other table's good state says that it is over. */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error)
  if (code !== undefined) return code === sqliteCorrupt || code === sqliteNotADatabase
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^XX00[12]$/.test(error.code)
  )
}
