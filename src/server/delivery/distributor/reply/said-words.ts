import { type PlainLine, plainLine } from '#domain/text/plain-line.ts'

/** Enough for every reason that was ever met; in characters. */
const mostCharacters = 1000

/**
 * What the distributor wrote, fit to be kept: one plain line of at most 1,000 characters; undefined where it wrote
 * nothing. It may quote the lead in any spelling, so it is personal data as the lead is: kept with the attempt, shown
 * with the lead, erased with the person, and nowhere else.
 */
export function saidWords(text: string): PlainLine | undefined {
  // What is cut off need not be looked through. A character takes two units at most; some of these go.
  const characters = [...plainLine(text.slice(0, 4 * mostCharacters))]
  if (characters.length === 0) return undefined
  if (characters.length <= mostCharacters) return characters.join('') as PlainLine
  return `${characters.slice(0, mostCharacters - 1).join('')}…` as PlainLine
}
