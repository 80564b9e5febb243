import { readSettings } from '#server/config/read-settings.ts'
import type { Settings } from '#server/config/settings.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { runAndClose } from '#server/store/run-and-close.ts'
import { exitCodes } from './exit-codes.ts'
import { NotDoneError } from './not-done-error.ts'

/** The server's own configuration: the verbs work on its store. */
export function serverSettings(): Settings {
  const read = readSettings(process.env)
  if (read.ok) return read.settings
  throw new NotDoneError(
    `The configuration needs to be corrected:\n${read.faults.map((fault) => `  - ${fault}`).join('\n')}`,
    exitCodes.configuration,
  )
}

/** Opens the configured store for one verb, and closes it again. */
export async function withStore<Result>(use: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(serverSettings().store).catch((error: Error) => {
    throw new NotDoneError(error.message, exitCodes.unavailable, { cause: error })
  })
  return runAndClose(
    async () => {
      await store.migrate()
      return use(store)
    },
    () => store.close(),
  )
}
