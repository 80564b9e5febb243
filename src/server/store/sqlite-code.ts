/** SQLite's primary result codes that we decide by (https://sqlite.org/rescode.html). */
export const sqliteBusy = 5
export const sqliteConstraint = 19

/** The primary code of an error of SQLite's, which its extended codes hold in their lowest byte; else undefined. */
export function sqliteCode(error: unknown): number | undefined {
  const isOurs = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return isOurs ? (error.errcode as number) & 0xff : undefined
}
