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
}

/** Letters and digits alone, without accent, case and width. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøłđðþħı]/g, (letter) => plain[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '')
