import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

export type Values = Readonly<Record<string, number | string>>

/** A file with one JSON object a line for the current run: see figures-of-a-run.ts. */
export const figuresFile = resolve(
  import.meta.dirname,
  '../../node_modules/.cache/fault-figures.jsonl',
)

/** Prints a fault test's counts, and keeps them for the table at the end of the run. */
export function figure(name: string, values: Values): void {
  mkdirSync(dirname(figuresFile), { recursive: true })
  appendFileSync(figuresFile, `${JSON.stringify({ name, values })}\n`)
  process.stdout.write(`${name}: ${inWords(values)}\n`)
}

/** Formats `{ kills: 30, duplicatesSent: 3 }` as `kills 30, duplicates sent 3`. */
export const inWords = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${name.replaceAll(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)} ${value}`)
    .join(', ')
