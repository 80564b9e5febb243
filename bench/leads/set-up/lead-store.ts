import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { openStore, type StoreSettings } from '../../../src/server/store/open-store.ts'
import { freshDatabase } from '../../../tests/postgres/fresh-database.ts'
import { startPostgres } from '../../../tests/postgres/start-postgres.ts'
import type { Workshop } from '../../bench.ts'

export interface LeadStore {
  readonly settings: StoreSettings
  /** Settings for the product that uses the store. */
  readonly env: Readonly<Record<string, string>>
}

/** A kind of database. `prepare` resolves with a function that makes empty, migrated stores. */
export interface StoreKind {
  readonly id: string
  readonly name: string
  readonly prepare: (workshop: Workshop) => Promise<() => Promise<LeadStore>>
}

export const sqlite: StoreKind = {
  id: 'sqlite',
  name: 'SQLite',
  prepare:
    async ({ folder }) =>
    async () => {
      const dataDir = await mkdtemp(join(folder, 'data-'))
      return migrated({ settings: { dataDir }, env: { DATA_DIR: dataDir } })
    },
}

export const postgresql: StoreKind = {
  id: 'postgresql',
  name: 'PostgreSQL',
  prepare: async ({ atEnd }) => {
    const postgres = await startPostgres()
    atEnd(postgres.stop)
    return async () => {
      const { url } = await freshDatabase(postgres.url)
      const settings = { dataDir: 'unused', databaseUrl: url }
      return migrated({ settings, env: { DATABASE_URL: url } })
    }
  },
}

async function migrated(leadStore: LeadStore): Promise<LeadStore> {
  const store = await openStore(leadStore.settings)
  await store.migrate()
  await store.close()
  return leadStore
}
