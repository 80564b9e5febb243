import { runAndClose } from '#server/platform/database/run-and-close.ts'
import type { StoreState } from '#server/platform/database/store-state.ts'
import { openStore, type Store } from '#server/start/open-store.ts'
import { faultInWords } from '../fault-in-words.ts'
import { serverSettings } from '../server-settings.ts'
import { assertStoreFile, noStore } from './no-store.ts'
import { refuseMoved } from './refuse-moved.ts'
import { type Report, tellStore } from './tell-store.ts'

/** Opens the configured store for one verb, says which one it is, and closes it again. It never makes one. */
export const withStore = <Result>(
  use: (store: Store) => Promise<Result>,
  report: Report = {},
): Promise<Result> =>
  withStoreAsItIs(async (store) => {
    await store.migrate()
    return use(store)
  }, report)

/**
 * The same for a verb that changes something.
 * @throws NotDoneError where the leads have gone elsewhere
 */
export const changeStore = <Result>(
  use: (store: Store, state: StoreState) => Promise<Result>,
  report: Report = {},
): Promise<Result> =>
  withState(async (store, state) => {
    refuseMoved(state.place, state.movedTo, 'Nothing was changed: no server works on it.')
    tellStore(state, report)
    await store.migrate()
    return use(store, state)
  })

/** As `withStore`, but nothing of the schema is changed: the backup before an upgrade is of the version before. */
export const withStoreAsItIs = <Result>(
  use: (store: Store) => Promise<Result>,
  report: Report,
): Promise<Result> =>
  withState((store, state) => {
    tellStore(state, report)
    return use(store)
  })

async function withState<Result>(
  use: (store: Store, state: StoreState) => Promise<Result>,
): Promise<Result> {
  const settings = serverSettings().store
  assertStoreFile(settings)
  try {
    const store = await openStore(settings)
    return await runAndClose(
      async () => {
        if (!(await store.isMade())) throw noStore(store.place)
        return use(store, await store.state())
      },
      () => store.close(),
    )
  } catch (error) {
    throw faultInWords(error)
  }
}
