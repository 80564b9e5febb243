import { isOrdinaryWord } from './is-ordinary-word.ts'
import type { NamingPart } from './naming-parts.ts'
import type { Reading } from './readings.ts'
import type { Span } from './spans.ts'
import { type Word, wordsOf } from './words.ts'

/** Where a text tells of the person, as one reads it. */
export function quotedSpans(
  text: string,
  reading: Reading,
  parts: readonly NamingPart[],
): readonly Span[] {
  const words = wordsOf(reading)
  const quoted = quotedWords(words, parts)
  showOrdinaryWords(text, words, quoted)
  const isCut = /^ ?…$/.test(reading.plain.slice(words.at(-1)?.to ?? 0))
  if (isCut) quoteCutOnes(words, parts, quoted)
  const spans: Span[] = []
  for (const [index, { start, end }] of words.entries()) {
    if (!quoted.has(index)) continue
    // What stands between two of them goes with them.
    const last = quoted.has(index - 1) ? spans.pop() : undefined
    spans.push({ start: last?.start ?? start, end })
  }
  return spans
}

/** No part of a person is longer. */
const longestPart = 254

/** The words that a part of the person lies in, wherever in them: `ch•••l` would say more of Anne than `•••`. */
function quotedWords(words: readonly Word[], parts: readonly NamingPart[]): Set<number> {
  const quoted = new Set<number>()
  const folded = words.map((word) => word.folded).join('')
  const wordAt = words.flatMap((word, index) => Array<number>(word.folded.length).fill(index))
  for (const { wanted, isFound } of parts) {
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + 1)) {
      const end = at + wanted.length
      const [first = 0, last = 0] = [wordAt[at], wordAt[end - 1]]
      const isAlone = wordAt[at - 1] !== first && wordAt[end] !== last
      if (isFound === 'alone' && !isAlone) continue
      for (let index = first; index <= last; index++) quoted.add(index)
    }
  }
  return quoted
}

/** Of a text that was cut off the last words, where a part of the person begins with them. */
function quoteCutOnes(
  words: readonly Word[],
  parts: readonly NamingPart[],
  quoted: Set<number>,
): void {
  let tail = ''
  for (let index = words.length - 1; index >= 0 && tail.length < longestPart; index--) {
    const said: string = (words[index]?.folded ?? '') + tail
    tail = said
    if (!parts.some(({ wanted }) => wanted.startsWith(said))) continue
    for (let last = index; last < words.length; last++) quoted.add(last)
  }
}

/**
 * A word in a sentence, in small letters and beside nothing else of the person, names nobody, other than as a value:
 * `offer •••` would tell of somebody called Cap what `offer cap` does not.
 */
function showOrdinaryWords(text: string, words: readonly Word[], quoted: Set<number>): void {
  for (const [index, { start, end }] of words.entries()) {
    if (!quoted.has(index) || quoted.has(index - 1) || quoted.has(index + 1)) continue
    if (!isOrdinaryWord(text.slice(start, end)) || end - start === text.length) continue
    const isInSentence =
      (start === 0 || /[\p{L}\p{N},;.] $/u.test(text.slice(Math.max(0, start - 3), start))) &&
      /^(?:$|[ .,;!?])/u.test(text.slice(end))
    if (isInSentence) quoted.delete(index)
  }
}
