import { openStore, type Store } from '#server/store/open-store.ts'
import { runAndClose } from '#server/store/run-and-close.ts'
import { faultInWords } from './fault-in-words.ts'
import { assertStoreFile, noStore } from './no-store.ts'
import { serverSettings } from './server-settings.ts'
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

/** The same, but nothing of the schema is changed: the backup before an upgrade is of the version before. */
export async function withStoreAsItIs<Result>(
  use: (store: Store) => Promise<Result>,
  report: Report,
): Promise<Result> {
  const settings = serverSettings().store
  assertStoreFile(settings)
  try {
    const store = await openStore(settings)
    return await runAndClose(
      async () => {
        if (!(await store.isMade())) throw noStore(store.place)
        tellStore(await store.standing(), report)
        return use(store)
      },
      () => store.close(),
    )
  } catch (error) {
    throw faultInWords(error)
  }
}
