import { rmSync } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { quietly } from '#server/platform/database/run-and-close.ts'
import { isCorrupt } from '#server/platform/faults/database-errors.ts'
import { exitCodes } from '../exit-codes.ts'
import { faultInWords } from '../fault-in-words.ts'
import { NotDoneError } from '../not-done-error.ts'
import { printFault } from '../terminal/print.ts'

/** Half a backup is none, and holds personal data that nobody looks after: it never has the file's name, and goes. */
export async function writeWhole<Result>(
  file: string,
  write: (part: string) => Promise<Result>,
): Promise<Result> {
  const part = `${file}.${process.pid}.part`
  const stop = () => {
    rmSync(part, { force: true })
    printFault('The backup was stopped. Nothing is left of it.')
    process.exit(exitCodes.interrupted)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    await (await open(part, 'wx', 0o600)).close()
    const result = await write(part)
    // Unlike a rename, it fails where somebody else has made the file meanwhile.
    await link(part, file)
    await rm(part)
    await syncFolder(dirname(file))
    return result
  } catch (error) {
    await quietly(() => rm(part, { force: true }))
    throw inWords(error, file)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** The name, too, is to be there after a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

export const isThere = (file: string): string =>
  `${file} is there already, and was left as it is. Give a name that is not taken.`

function inWords(error: unknown, file: string): unknown {
  if (error instanceof NotDoneError || !(error instanceof Error)) return error
  if ('code' in error && error.code === 'EEXIST') return new NotDoneError(isThere(file))
  // Of the store, not of the place that is written to.
  if (isCorrupt(error)) return faultInWords(error)
  return new NotDoneError(
    `The backup was not made (${error.message}). Nothing is left of it, and the store is as it was. ` +
      'Make room or choose another place; a store that cannot be read: docs/runbook.md, “Leads are not stored”.',
    exitCodes.notDone,
    { cause: error },
  )
}
