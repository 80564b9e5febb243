import { character, unescaped } from './escapes.ts'
import { fold } from './fold.ts'
import { hidden } from './mask-lead.ts'

/** Letters and digits that stand side by side. */
export interface Word {
  /** From where to where it goes in the text. */
  readonly start: number
  readonly end: number
  /** Without accents and case. */
  readonly folded: string
}

export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = []
  for (const { 0: written, index: start } of text.matchAll(character)) {
    const plain = unescaped(written)
    const folded = fold(plain)
    const end = start + written.length
    const last = words.at(-1)
    const isJoined = last?.end === start
    // An accent by itself, or what nobody sees, ends no word.
    if (isJoined && (folded !== '' || /^[\p{M}\p{Cf}]$/u.test(plain))) {
      words[words.length - 1] = { ...last, end, folded: last.folded + folded }
    } else if (folded !== '') {
      words.push({ start, end, folded })
    }
  }
  return words
}

/** What stands between two that are hidden goes with them. */
export function withoutWords(
  text: string,
  words: readonly Word[],
  without: ReadonlySet<number>,
): string {
  let shown = ''
  let written = 0
  for (const [index, { start, end }] of words.entries()) {
    if (!without.has(index)) continue
    if (!without.has(index - 1)) shown += text.slice(written, start) + hidden
    written = end
  }
  return shown + text.slice(written)
}
