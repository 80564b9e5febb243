import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { openStore, type Store, type StoreSettings } from '#server/store/open-store.ts'
import { emptyDatabase, freshDatabase } from '#tests/postgres/fresh-database.ts'
import { copyMigrated } from './copy-migrated.ts'

export interface StorePlace {
  readonly settings: StoreSettings
  /** Makes the place empty. */
  empty(): Promise<void>
  remove(): Promise<void>
}

/** @param within the parent folder, if the place has a folder */
export type MakePlace = (within?: string) => Promise<StorePlace>

export async function sqlitePlace(within = tmpdir()): Promise<StorePlace> {
  const dataDir = await mkdtemp(join(within, 'leads-test-'))
  return {
    settings: { dataDir },
    empty: async () => {
      for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true })
    },
    remove: () => rm(dataDir, { recursive: true }),
  }
}

export async function postgresPlace(): Promise<StorePlace> {
  const { url, drop } = await freshDatabase(inject('postgresUrl'))
  return {
    settings: { dataDir: 'unused', databaseUrl: url },
    empty: () => emptyDatabase(url),
    remove: drop,
  }
}

/** For `describe.each`: every behavior must be equal on both databases. */
export const storePlaces = [
  { name: 'SQLite', makePlace: sqlitePlace },
  { name: 'PostgreSQL', makePlace: postgresPlace },
]

/** Gives each test an empty place, and closes the stores that it opens. */
export function usePlace(makePlace: () => Promise<StorePlace>) {
  let place: StorePlace
  let opened: Store[] = []
  beforeAll(async () => {
    place = await makePlace()
  })
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()))
    opened = []
    await place.empty()
  })
  afterAll(() => place.remove())
  return {
    settings: () => place.settings,
    /** Opens a migrated store. */
    open: async (): Promise<Store> => {
      const isMigrated = await copyMigrated(place.settings)
      const store = await openStore(place.settings)
      opened.push(store)
      if (!isMigrated) await store.migrate()
      return store
    },
  }
}
