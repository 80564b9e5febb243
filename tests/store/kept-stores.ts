import { afterAll, afterEach, beforeAll } from 'vitest'
import { openStore, type Store } from '#server/store/open-store.ts'
import { keepRows } from './keep-rows.ts'
import type { StorePlace } from './store-places.ts'

/**
 * As `usePlace`, for files with many short tests: the stores stay open from test to test, and their tables are emptied. To
 * open and migrate one takes longer than most tests do. Not for tests that look into the files, or change more than rows.
 */
export function useKeptStores(makePlace: () => Promise<StorePlace>) {
  let place: StorePlace
  let asAtFirst: () => Promise<void>
  let kept: Store[] = []
  let used = 0
  const keepAnother = async (): Promise<Store> => {
    const opened = await openStore(place.settings)
    await opened.migrate()
    const store = {
      ...opened,
      close: async () => {
        kept = kept.filter((one) => one !== store)
        await opened.close()
      },
    }
    kept.push(store)
    return store
  }
  beforeAll(async () => {
    place = await makePlace()
    await keepAnother()
    asAtFirst = await keepRows(place.settings)
  })
  afterEach(async () => {
    used = 0
    await asAtFirst()
  })
  afterAll(async () => {
    await Promise.all(kept.map((store) => store.close()))
    await place.remove()
  })
  return {
    settings: () => place.settings,
    /** Each call in a test gives another one, on the same place. */
    open: async (): Promise<Store> => kept[used++] ?? keepAnother(),
  }
}
