import { existsSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { openStore, type StoreSettings } from '#server/store/open-store.ts'
import { fillWithMigrated } from '#tests/postgres/fresh-database.ts'

let migrated: Promise<string> | undefined

/** Makes a migrated store once for all tests of a worker. Its folder is deleted with the run's other files. */
async function makeMigrated(): Promise<string> {
  const dataDir = await mkdtemp(join(env.TEST_PROGRAMS ?? tmpdir(), 'migrated-'))
  await migrate({ dataDir })
  return fileIn(dataDir)
}

const fileIn = (dataDir: string) => join(dataDir, 'leads.sqlite')

/**
 * Puts a migrated store where none exists, because migrating takes most of the time to open a store. Tests that start
 * processes and those in migrations/ cover migrating.
 * @returns whether it did
 */
export async function copyMigrated({ dataDir, databaseUrl }: StoreSettings): Promise<boolean> {
  if (databaseUrl) return fillWithMigrated(databaseUrl, () => migrate({ dataDir, databaseUrl }))
  if (existsSync(fileIn(dataDir))) return false
  migrated ??= makeMigrated()
  await copyFile(await migrated, fileIn(dataDir))
  return true
}

async function migrate(settings: StoreSettings): Promise<void> {
  const store = await openStore(settings)
  await store.migrate()
  await store.close()
}
