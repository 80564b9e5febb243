import { existsSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { openStore, type StoreSettings } from '#server/start/open-store.ts'

let migrated: Promise<string> | undefined

/** Once for all tests of a worker. The folder goes with what else the run has made. */
async function makeMigrated(): Promise<string> {
  const dataDir = await mkdtemp(join(env.TEST_PROGRAMS ?? tmpdir(), 'migrated-'))
  const store = await openStore({ dataDir })
  await store.migrate()
  await store.close()
  return fileIn(dataDir)
}

const fileIn = (dataDir: string) => join(dataDir, 'leads.sqlite')

/**
 * Puts a new store where on SQLite there is none: a third of what it takes to open one is migrating it, of which a test has
 * nothing. How a store comes to be is tested where processes start, and in migrations/.
 */
export async function copyMigrated({ dataDir, databaseUrl }: StoreSettings): Promise<void> {
  if (databaseUrl || existsSync(fileIn(dataDir))) return
  migrated ??= makeMigrated()
  await copyFile(await migrated, fileIn(dataDir))
}
