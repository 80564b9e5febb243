import { createWriteStream, rmSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { InvalidArgumentError } from 'commander'
import ms from 'ms'
import { formatIsoTime, parseRangeStart } from '#domain/calendar.ts'
import { escapeInvisible, escapeInvisibleInLines } from '#domain/text/plain-line.ts'
import { ignoreErrors } from '#server/platform/database/run-and-close.ts'
import { isCorrupt } from '#server/platform/faults/database-errors.ts'
import { CommandError, exitCodes } from './errors.ts'

// These functions escape all output of commands, so that a visitor's text cannot move the operator's cursor.

export function print(text: string): void {
  process.stdout.write(`${escapeInvisibleInLines(text)}\n`)
}

export function printError(text: string): void {
  process.stderr.write(`${escapeInvisibleInLines(text)}\n`)
}

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))

export const formatBullets = (lines: readonly string[]): string =>
  lines.map((line) => `\n  - ${line}`).join('')

/** Formats a table as text, with each column as wide as its widest value. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [header, ...rows].map((row) => row.map(escapeInvisible))
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * Checks an option's day, time (both in the school's time zone by default) or age such as `24h`. An age becomes a time.
 * `parseRangeStart` and `parseRangeEnd` convert the result.
 */
export function parseWhen(text: string): string {
  if (/^\d+(ms|s|m|h|d|w)$/.test(text)) {
    return new Date(Date.now() - ms(text as ms.StringValue)).toISOString()
  }
  if (parseRangeStart(text, 'UTC') !== undefined) return text
  throw new InvalidArgumentError(
    'Give a day (2026-01-31), a time (2026-01-31T12:00, or with Z or an offset) or an age (24h, 7d).',
  )
}

/** Makes the text that says since when deliveries wait, in the school's time zone. */
export const makeSinceFormat =
  (zone: string) =>
  (at: number): string =>
    ` since ${formatIsoTime(at, zone)}`

export interface JsonOption {
  readonly json?: boolean
}

export interface ConfirmOption {
  readonly yes?: true
}

export const skipConfirmation =
  'skip the confirmation (without a terminal, the command doesn’t ask)'

/** Makes a parser of whole numbers from 1 to a maximum. */
export const makeIntegerParser =
  (most: number) =>
  (text: string): number => {
    const n = Number(text)
    if (Number.isInteger(n) && n >= 1 && n <= most) return n
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`)
  }

/**
 * Asks the operator for a confirmation, and rejects unless the answer is yes. Without a terminal, it resolves at once,
 * because a script cannot answer.
 */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [yes/no] `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was done.')
}

/** Shows progress on stderr at most ten times a second, and only on a terminal, because progress would fill a log. */
export function makeProgressBar(label: string) {
  const { stderr } = process
  let shownAt = 0
  return {
    update(done: number, total: number): void {
      if (!stderr.isTTY || Date.now() - shownAt < 100) return
      shownAt = Date.now()
      const [of, most] = [done, total].map((count) => count.toLocaleString('en-US'))
      stderr.write(`\r${label} ${of} of ${most}\u001b[K`)
    },
    /** Clears the progress line, so that only the result remains on the terminal. */
    end: (): void => void (stderr.isTTY && stderr.write('\r\u001b[K')),
  }
}

/** Writes text to a file, or to stdout if there is none, no faster than the file or the next program takes the text. */
export async function writeOutput(
  text: AsyncIterable<string>,
  file: string | undefined,
): Promise<void> {
  if (file === undefined) return pipeline(Readable.from(text), process.stdout, { end: false })
  const found = await stat(file).catch(() => undefined)
  // `writeFileAtomically` ends with a rename, which would replace a device or a link with a regular file.
  if (found !== undefined && !found.isFile()) {
    throw new CommandError(`${file} exists but isn’t a regular file. Give --output another name.`)
  }
  // A running server would go on storing leads in the replaced file, which ends with the server.
  if (/\.sqlite(-\w+)?$/i.test(file)) {
    throw new CommandError(`${file} has the name of a store. Give --output another name.`)
  }
  await writeFileAtomically(file, (part) => pipeline(Readable.from(text), createWriteStream(part)))
}

/**
 * Writes a file that only its owner can read, and gives the file its name once it is complete and on disk. If that
 * fails, deletes the partial file, because it may contain personal data that nobody would remember.
 * @param write fills the file at the given path
 */
export async function writeFileAtomically<Result>(
  file: string,
  write: (part: string) => Promise<Result>,
): Promise<Result> {
  const part = `${file}.${process.pid}.part`
  const stop = () => {
    rmSync(part, { force: true })
    printError(`${file} was not written: the command was stopped. The partial file was deleted.`)
    process.exit(exitCodes.interrupted)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    await (await open(part, 'wx', 0o600)).close()
    const result = await write(part)
    await syncToDisk(part)
    await rename(part, file)
    await syncToDisk(dirname(file))
    return result
  } catch (error) {
    await ignoreErrors(() => rm(part, { force: true }))
    // The message below blames the target folder, which would be wrong if the store is damaged.
    if (!(error instanceof Error) || error instanceof CommandError || isCorrupt(error)) throw error
    throw new CommandError(
      `${file} cannot be written (${error.message}). The partial file was deleted, and nothing else was changed. ` +
        'Make room or choose another folder; if the store cannot be read: docs/runbook.md, “Leads are not stored”.',
      exitCodes.notDone,
      { cause: error },
    )
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Flushes a file, or the names in a folder, to disk, so that a power cut cannot undo the change. */
async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
