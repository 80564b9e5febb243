import { createInterface } from 'node:readline/promises'
import { InvalidArgumentError } from 'commander'
import ms from 'ms'
import { escapeInvisible, escapeInvisibleInLines } from '#domain/text/escape-invisible.ts'
import { NotDoneError } from '../not-done-error.ts'

// All output of commands passes here, so that a visitor's text cannot move the operator's cursor.

export function print(text: string): void {
  process.stdout.write(`${escapeInvisibleInLines(text)}\n`)
}

export function printFault(text: string): void {
  process.stderr.write(`${escapeInvisibleInLines(text)}\n`)
}

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))

/** A plain table, its columns as wide as their widest value. */
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

/** The beginning of a day (UTC), a point in time, or how long ago, as epoch milliseconds. */
export const fromMoment = (text: string): number => read(text).start

/** The same, but a day counts to its end. */
export const toMoment = (text: string): number => read(text).end

function read(text: string): { start: number; end: number } {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const start = Date.parse(text)
    // Date.parse makes 30 February a day of March.
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

/** For the end of a verb's help. */
export const examples = (...lines: readonly string[]): string =>
  [
    '',
    lines.length === 1 ? 'Example:' : 'Examples:',
    ...lines.map((line) => `  npm run leads -- ${line}`),
  ].join('\n')

/** Asks on a terminal, and rejects unless the answer is yes. A script is asked nothing: it means what it says. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [yes/no] `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new NotDoneError('Nothing was done.')
}
