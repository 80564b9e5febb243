import { createInterface } from 'node:readline/promises'
import { NotDoneError } from '../not-done-error.ts'

/** Asks on a terminal, and rejects unless the answer is yes. A script is asked nothing: it means what it says. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [yes/no] `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new NotDoneError('Nothing was done.')
}
