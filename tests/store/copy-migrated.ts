import { existsSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { openStore, type StoreSettings } from '#server/store/open-store.ts'

let migrated: Promise<string> | undefined

/** Makes a migrated store once for all tests of a worker. Its folder is deleted with the run's other files. */
async function makeMigrated(): Promise<string> {
  const dataDir = await mkdtemp(join(env.TEST_PROGRAMS ?? tmpdir(), 'migrated-'))
  const store = await openStore({ dataDir })
  await store.migrate()
  await store.close()
  return fileIn(dataDir)
}

const fileIn = (dataDir: string) => join(dataDir, 'leads.sqlite')

/**
 * Puts a migrated SQLite store where none exists, because migrating takes a third of the time to open a store. Tests
 * that start processes and those in migrations/ cover migrating.
 */
export async function copyMigrated({ dataDir, databaseUrl }: StoreSettings): Promise<void> {
  if (databaseUrl || existsSync(fileIn(dataDir))) return
  migrated ??= makeMigrated()
  await copyFile(await migrated, fileIn(dataDir))
}
