import { sqliteCode, sqliteConstraint } from '../../faults/sqlite-code.ts'

/** PostgreSQL's classes 22 and 23 (data, constraint), SQLite's constraint; none of them can come of a COMMIT. */
export function isBadRow(error: unknown): boolean {
  const code = sqliteCode(error)
  if (code !== undefined) return code === sqliteConstraint
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^2[23]/.test(error.code)
  )
}
