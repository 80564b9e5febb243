import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ignoreErrors } from '#server/platform/database/run-and-close.ts'
import { exitCodes, NotDoneError } from '../not-done-error.ts'

/** Writes to stdout, no faster than it is read; or to a file, which is there only once it is whole. */
export async function writeOut(
  text: AsyncIterable<string>,
  file: string | undefined,
): Promise<void> {
  if (file === undefined) return pipeline(Readable.from(text), process.stdout, { end: false })
  await refuseOther(file)
  const part = `${file}.${process.pid}.part`
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const target = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(Readable.from(text), target, { signal: stopped.signal })
    await rename(part, file)
  } catch (error) {
    // Half an export would hold personal data that nobody looks after.
    await ignoreErrors(() => rm(part, { force: true }))
    throw inWords(error, file)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** A rename would put a file in the place of a device or of a folder's link. */
async function refuseOther(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined || found.isFile()) return
  throw new NotDoneError(`${file} exists but isn’t a file. Give another name to --output.`)
}

function inWords(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error
  const kept = 'The partial file was deleted, and an earlier file of that name is unchanged.'
  if (error.name === 'AbortError') {
    return new NotDoneError(`The export was stopped. ${kept}`, exitCodes.interrupted)
  }
  if (!('syscall' in error)) return error
  return new NotDoneError(
    `${file} cannot be written (${error.message}). ${kept} Make room or choose another place.`,
    exitCodes.notDone,
    { cause: error },
  )
}
