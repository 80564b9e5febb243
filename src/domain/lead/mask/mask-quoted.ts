import { decoded, encoded } from './encoded.ts'
import { isOrdinaryWord } from './is-ordinary-word.ts'
import { isTelling, withoutNumbers } from './is-telling.ts'
import { hidden } from './mask-lead.ts'
import { type NamingPart, namingParts, type Quoted } from './naming-parts.ts'
import { type Word, withoutWords, wordsOf } from './words.ts'

/** A shorter one is masked where it stands alone only: `Li` is in `client`. */
const longEnough = 4

/**
 * What the distributor wrote, without what it quotes of the lead: whichever way that is written or escaped, with accents or
 * without. What stands side by side goes as one. What else looks like an address or a phone number goes, too.
 */
export function maskQuoted(text: string, lead: Quoted): string {
  const parts = namingParts(lead)
  const shown = text.replace(encoded, (token) => {
    const plain = decoded(token)
    return plain !== undefined && maskPlain(plain, parts) !== plain ? hidden : token
  })
  return maskPlain(shown, parts)
}

function maskPlain(text: string, parts: readonly NamingPart[]): string {
  const words = wordsOf(text)
  const quoted = quotedWords(words, parts)
  showOrdinaryWords(text, words, quoted)
  return withoutNumbers(withoutWords(text, words, quoted).split(' '))
    .map((word) => (isTelling(word) ? hidden : word))
    .join(' ')
}

/** The words that a part of the person lies in, wherever in them: `ch•••l` would say more of Anne than `•••`. */
function quotedWords(words: readonly Word[], parts: readonly NamingPart[]): Set<number> {
  const quoted = new Set<number>()
  const folded = words.map((word) => word.folded).join('')
  const wordAt = words.flatMap((word, index) => Array<number>(word.folded.length).fill(index))
  for (const { wanted, isDense } of parts) {
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + 1)) {
      const end = at + wanted.length
      const [first = 0, last = 0] = [wordAt[at], wordAt[end - 1]]
      const isAlone = wordAt[at - 1] !== first && wordAt[end] !== last
      if (wanted.length < longEnough && !isAlone && !isDense) continue
      for (let index = first; index <= last; index++) quoted.add(index)
    }
  }
  return quoted
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
