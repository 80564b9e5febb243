import { fold } from './fold.ts'
import { isDense } from './is-dense.ts'
import type { Reading } from './readings.ts'

/** Letters and digits that stand side by side. */
export interface Word {
  /** From where to where it goes in what is read. */
  readonly from: number
  readonly to: number
  /** And in the text as it is written. */
  readonly start: number
  readonly end: number
  /** Without accents and case. */
  readonly folded: string
}

export function wordsOf({ plain, starts, ends }: Reading): readonly Word[] {
  const words: Word[] = []
  for (const { 0: piece, index: from } of plain.matchAll(/[\da-z]+|./gisu)) {
    const folded = fold(piece)
    const to = from + piece.length
    const end = ends[to - 1] ?? 0
    const last = words.at(-1)
    if (last?.to === from && goesOn(last, piece, folded)) {
      words[words.length - 1] = { ...last, to, end, folded: last.folded + folded }
    } else if (folded !== '') {
      words.push({ from, to, start: starts[from] ?? 0, end, folded })
    }
  }
  return words
}

/** An accent by itself, or what nobody sees, ends no word; a letter of a script without gaps ends one of another. */
function goesOn(word: Word, piece: string, folded: string): boolean {
  if (folded === '') return /^[\p{M}\p{Cf}]$/u.test(piece)
  return isDense(word.folded) === isDense(folded)
}
