import { escapeUnseenInLines } from '#domain/text/escape-unseen.ts'

// Everything that a verb says goes through here: what a visitor typed may not move the operator's cursor.

export function print(text: string): void {
  process.stdout.write(`${escapeUnseenInLines(text)}\n`)
}

export function printFault(text: string): void {
  process.stderr.write(`${escapeUnseenInLines(text)}\n`)
}

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))
