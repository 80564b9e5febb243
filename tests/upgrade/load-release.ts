import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StoreSettings } from '#server/store/open-store.ts'
import { runStatements } from '#tests/postgres/run-statements.ts'

export const releasesFolder = resolve(import.meta.dirname, 'data')

/** Fills an empty place with a release's data: see keep-data.ts. */
export async function loadRelease(
  version: string,
  { dataDir, databaseUrl }: StoreSettings,
): Promise<void> {
  const read = (name: string) => readFileSync(join(releasesFolder, version, name), 'utf8')
  if (databaseUrl !== undefined) return runStatements(databaseUrl, read('postgresql.sql'))
  const database = new DatabaseSync(join(dataDir, 'leads.sqlite'))
  database.exec(read('sqlite.sql'))
  database.close()
}
