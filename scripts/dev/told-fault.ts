/** What an operator can mend from its message alone. A stack would hide it: its lines are ours. */
export class ToldFault extends Error {}

/** What the terminal and the page say of what was thrown: of a mistake in the code, also where it is. */
export function faultWords(error: unknown): string {
  if (error instanceof ToldFault) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
