import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StoreSettings } from '#server/store/open-store.ts'
import { runStatements } from '#tests/postgres/run-statements.ts'

/** Runs statements past all of the product's code, as somebody's hand does, or an accident. */
export async function runInStore(
  { dataDir, databaseUrl }: StoreSettings,
  statements: string,
): Promise<void> {
  if (databaseUrl !== undefined) return runStatements(databaseUrl, statements)
  const database = new DatabaseSync(join(dataDir, 'leads.sqlite'), { timeout: 10_000 })
  try {
    database.exec(statements)
  } finally {
    database.close()
  }
}
