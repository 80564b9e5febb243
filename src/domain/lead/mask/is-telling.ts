import { unescapedWhole } from './escapes.ts'
import { hidden } from './mask-lead.ts'

/** A phone number may be written with gaps: words of digits alone that stand side by side are one. */
export function withoutNumbers(words: readonly string[]): readonly string[] {
  const left: string[] = []
  for (let from = 0; from < words.length; ) {
    const end = words.findIndex((word, index) => index >= from && /\p{L}/u.test(word))
    const to = end === -1 ? words.length : end
    const run = words.slice(from, to)
    left.push(...(run.length > 1 && isTelling(run.join('')) ? [hidden] : run))
    if (end !== -1) left.push(words[end] ?? '')
    from = to + 1
  }
  return left
}

/** An email address, or so many digits as a phone number has; escaped or in another width, too. */
export function isTelling(word: string): boolean {
  const plain = unescapedWhole(word).normalize('NFKC')
  return plain.includes('@') || plain.replace(/\P{Nd}/gu, '').length >= 7
}
