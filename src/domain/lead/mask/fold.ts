/** Letters that are written as one with an accent, and are none to Unicode. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  // An s at the end of a Greek word, which in capitals is as any other.
  ς: 'σ',
}

/** Letters and digits alone, without accent, case and width. */
export function fold(text: string): string {
  // Most of what is folded has none of these, and takes a third of the time so.
  const isPlain = /^[\x20-\x7e]*$/.test(text)
  const folded = (isPlain ? text : text.normalize('NFKD')).toLowerCase()
  if (isPlain) return folded.replace(/[^\da-z]+/g, '')
  return folded
    .replace(/[ßæœøłđðþħıς]/g, (letter) => plain[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '')
}
