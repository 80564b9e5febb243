import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Command, InvalidArgumentError } from 'commander'
import ms from 'ms'
import { escapeInvisible, escapeInvisibleInLines } from '#domain/text/escape-invisible.ts'
import { ignoreErrors } from '#server/platform/database/run-and-close.ts'
import { exitCodes, NotDoneError } from './errors.ts'

// All output of commands is escaped here, so that a visitor's text cannot move the operator's cursor.

export function print(text: string): void {
  process.stdout.write(`${escapeInvisibleInLines(text)}\n`)
}

export function printFault(text: string): void {
  process.stderr.write(`${escapeInvisibleInLines(text)}\n`)
}

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))

/** Formats a plain table, with columns as wide as their widest value. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
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

const dayMs = 24 * 60 * 60 * 1000

/** Parses the beginning of a day (UTC), a point in time or a time ago into epoch milliseconds. */
export const fromMoment = (text: string): number => read(text).start

/** Like {@link fromMoment}, but a day counts to its end. */
export const toMoment = (text: string): number => read(text).end

function read(text: string): { start: number; end: number } {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const start = Date.parse(text)
    // Date.parse turns 30 February into a day in March.
    if (!Number.isNaN(start) && new Date(start).toISOString().startsWith(text)) {
      return { start, end: start + dayMs }
    }
  }
  const age = /^\d+(ms|s|m|h|d|w)$/.test(text) ? ms(text as ms.StringValue) : undefined
  const at = age === undefined ? timeOf(text) : Date.now() - age
  if (at === undefined) {
    throw new InvalidArgumentError(
      'Give a day (2026-01-31), a time (2026-01-31T12:00Z) or an age (24h, 7d).',
    )
  }
  return { start: at, end: at }
}

function timeOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** Makes a command with --json, and with examples and notes in its help. */
export function verb(
  name: string,
  description: string,
  { examples, helpText: about = '' }: { examples: readonly string[]; helpText?: string },
): Command {
  const lines = examples.map((line) => `\n  npm run leads -- ${line}`).join('')
  return new Command(name)
    .description(description)
    .option('--json', 'as JSON')
    .addHelpText('after', `\n${examples.length === 1 ? 'Example' : 'Examples'}:${lines}`)
    .addHelpText('after', about)
}

export interface Json {
  readonly json?: boolean
}

/** Parses an option's whole number, from 1 to a maximum. */
export const wholeNumber =
  (most: number) =>
  (text: string): number => {
    const n = Number(text)
    if (Number.isInteger(n) && n >= 1 && n <= most) return n
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`)
  }

export const isoTime = (at: number): string => new Date(at).toISOString()

/**
 * Asks on a terminal, and rejects unless the answer is yes. Without a terminal it does not ask, because a script cannot
 * answer.
 */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [yes/no] `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new NotDoneError('Nothing was done.')
}

const barWidth = 30
/** How often the bar is updated, in milliseconds. */
const everyMs = 100

export interface ProgressBar {
  readonly update: (done: number) => void
  /** Removes the bar, so that only the result remains. */
  readonly end: () => void
}

/** Shows a progress bar, only on a terminal because it would fill a log. */
export function progressBar(
  label: string,
  total: number,
  screen: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): ProgressBar {
  if (!screen.isTTY) return { update: () => undefined, end: () => undefined }
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    update: (done) => {
      const now = performance.now()
      if (now - shownAt < everyMs && done < total) return
      shownAt = now
      screen.write(`\r${line(label, done, total)}\u001b[K`)
    },
    end: () => screen.write('\r\u001b[K'),
  }
}

function line(label: string, done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(done / total, 1)
  const full = Math.round(share * barWidth)
  const bar = '█'.repeat(full) + '░'.repeat(barWidth - full)
  return `${label} ${bar} ${Math.floor(share * 100)} %  ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`
}

/** Writes to stdout as fast as it is read, or to a file that gets its name only once it is complete. */
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
    // A partial export would hold personal data that nobody looks after.
    await ignoreErrors(() => rm(part, { force: true }))
    throw describeWriteFault(error, file)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Refuses a path that is not a file: the final rename would replace a device or a link to a folder. */
async function refuseOther(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined || found.isFile()) return
  throw new NotDoneError(`${file} exists but isn’t a file. Give another name to --output.`)
}

function describeWriteFault(error: unknown, file: string): unknown {
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
