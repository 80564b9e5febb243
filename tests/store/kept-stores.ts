import { env } from 'node:process'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { openStore, type Store } from '#server/store/open-store.ts'
import { keepRows } from './keep-rows.ts'
import type { MakePlace, StorePlace } from './store-places.ts'

interface KeptPlace {
  readonly place: StorePlace
  /** Restores the rows that the store had when it was new. */
  readonly asAtFirst: () => Promise<void>
}

const keptPlaces = new Map<MakePlace, Promise<KeptPlace>>()

/** Makes one place of each kind for all files of a worker. It is removed with the run's cluster or folder. */
function keptPlaceOf(makePlace: MakePlace): Promise<KeptPlace> {
  const kept = keptPlaces.get(makePlace) ?? keep(makePlace)
  keptPlaces.set(makePlace, kept)
  return kept
}

async function keep(makePlace: MakePlace): Promise<KeptPlace> {
  const place = await makePlace(env.TEST_PROGRAMS)
  const store = await openStore(place.settings)
  await store.migrate()
  await store.close()
  return { place, asAtFirst: await keepRows(place.settings) }
}

/**
 * Like `usePlace`, for files with many short tests: stores stay open between tests, files share them, and only their
 * rows are reset, because opening and migrating takes longer than most tests. Not for tests that read the files or
 * change more than rows.
 */
export function useKeptStores(makePlace: MakePlace) {
  let place: StorePlace
  let asAtFirst: () => Promise<void>
  let kept: Store[] = []
  let used = 0
  const keepAnother = async (): Promise<Store> => {
    const opened = await openStore(place.settings)
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
    const one = await keptPlaceOf(makePlace)
    place = one.place
    asAtFirst = one.asAtFirst
    await keepAnother()
  })
  afterEach(async () => {
    used = 0
    await asAtFirst()
  })
  afterAll(async () => {
    await Promise.all(kept.map((store) => store.close()))
    kept = []
  })
  return {
    settings: () => place.settings,
    /** Each call in a test returns another store on the same place. */
    open: async (): Promise<Store> => kept[used++] ?? keepAnother(),
  }
}
