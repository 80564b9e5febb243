import { afterAll, afterEach, beforeAll } from 'vitest'
import { openStore, type Store } from '#server/store/open-store.ts'
import { askStore, type Row } from './ask-store.ts'
import { runInStore } from './run-in-store.ts'
import type { StorePlace } from './store-places.ts'

/**
 * As `usePlace`, for files with many short tests: the stores stay open from test to test, and their tables are emptied. To
 * open and migrate one takes longer than most tests do. Not for tests that close a store, or change more than its rows.
 */
export function useKeptStores(makePlace: () => Promise<StorePlace>) {
  let place: StorePlace
  let fresh: readonly Row[]
  const stores: Store[] = []
  let used = 0
  const keepAnother = async (): Promise<Store> => {
    const store = await openStore(place.settings)
    stores.push(store)
    await store.migrate()
    return store
  }
  beforeAll(async () => {
    place = await makePlace()
    await keepAnother()
    fresh = await askStore(place.settings, 'select * from delivery_gate')
  })
  afterEach(async () => {
    used = 0
    await runInStore(place.settings, [...emptying, ...refilling(fresh)].join(';\n'))
  })
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await place.remove()
  })
  return {
    settings: () => place.settings,
    /** Each call in a test gives another one, on the same place. */
    open: async (): Promise<Store> => stores[used++] ?? keepAnother(),
  }
}

/** The other tables' rows go with their leads. */
const emptying = [
  'leads',
  'disclosures',
  'moves',
  'secrets',
  'delivery_gate',
  'delivery_holds',
].map((table) => `delete from ${table}`)

const refilling = (rows: readonly Row[]): readonly string[] =>
  rows.map(
    (row) =>
      `insert into delivery_gate (${Object.keys(row).join(', ')}) values (${Object.values(row)
        .map((value) => (typeof value === 'string' ? `'${value}'` : `${value}`))
        .join(', ')})`,
  )
