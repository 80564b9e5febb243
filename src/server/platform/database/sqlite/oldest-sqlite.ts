/** Before 3.51.3 a reset of the write-ahead log could corrupt a database that two connections use. */
const oldestSqlite = [3, 51, 3] as const

/** @param version as SQLite says it, like `3.53.4` */
export function isSqliteTooOld(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, least] of oldestSqlite.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part < least
  }
  return false
}

export const oldestSqliteVersion = oldestSqlite.join('.')
