import { env } from 'node:process'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { openStore, type Store } from '#server/start/open-store.ts'
import { keepRows } from './keep-rows.ts'
import type { MakePlace, StorePlace } from './store-places.ts'

interface KeptPlace {
  readonly place: StorePlace
  /** Brings back the rows that it had when it was new. */
  readonly asAtFirst: () => Promise<void>
}

const keptPlaces = new Map<MakePlace, Promise<KeptPlace>>()

/** One of each kind for all files of a worker. It goes with the run: its cluster, or the folder of what the run has made. */
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
 * As `usePlace`, for files with many short tests: the stores stay open from test to test, and their tables are emptied. To
 * open and migrate one takes longer than most tests do, so that files share the place, too. Not for tests that look into
 * the files, or change more than rows.
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
    /** Each call in a test gives another one, on the same place. */
    open: async (): Promise<Store> => kept[used++] ?? keepAnother(),
  }
}
