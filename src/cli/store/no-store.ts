import { statSync } from 'node:fs'
import { storeFile } from '#server/platform/database/sqlite/data-folder.ts'
import type { StoreSettings } from '#server/start/open-store.ts'
import { exitCodes } from '../exit-codes.ts'
import { NotDoneError } from '../not-done-error.ts'

const whatToDo = `A server makes it at its first start; a verb never does. Is one running on another store?
  with systemd:    sudo leads <verb>
  in a container:  docker compose exec worker leads <verb>
  elsewhere:       DATA_DIR=<the folder of leads.sqlite> npm run leads -- <verb>, or DATABASE_URL_FILE=<file>`

export const noStore = (place: string): NotDoneError =>
  new NotDoneError(
    `There is no store at ${place}. Nothing was done.\n${whatToDo}`,
    exitCodes.unavailable,
  )

/** Opening SQLite would make the file, and a report on that would be one on nothing. */
export function assertStoreFile({ dataDir, databaseUrl }: StoreSettings): void {
  if (databaseUrl !== undefined) return
  const file = storeFile(dataDir)
  const size = sizeOf(file)
  if (size === undefined || size === 0) throw noStore(file)
}

function sizeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new NotDoneError(
      `This user cannot look for the store at ${file} (${code}). Nothing was done: be root, or the server’s user.`,
      exitCodes.unavailable,
    )
  }
}
