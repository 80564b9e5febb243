import { expect, it } from 'vitest'
import { digitsOf } from './digits-of.ts'

it.each([
  ['ASCII', '0123456789'],
  ['Arabic', '٠١٢٣٤٥٦٧٨٩'],
  ['Persian', '۰۱۲۳۴۵۶۷۸۹'],
  ['Devanagari', '०१२३४५६७८९'],
  ['Bengali', '০১২৩৪৫৬৭৮৯'],
  ['Thai', '๐๑๒๓๔๕๖๗๘๙'],
  ['full width', '０１２３４５６７８９'],
  ['bold of mathematics', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗'],
  ['typewriter of mathematics', '𝟶𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿'],
])('reads the digits of %s', (_, digits) => {
  expect(digitsOf(digits)).toBe('0123456789')
  expect(digitsOf([...digits].join(' .-x'))).toBe('0123456789')
})

it('reads every decimal digit that Unicode has, each row from 0 to 9', () => {
  const all = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Nd}/u.test(character))
  expect(all.length % 10).toBe(0)
  expect(all.map(digitsOf).join('')).toBe('0123456789'.repeat(all.length / 10))
})

it.each(['', 'no digits', '½ ² Ⅷ 一'])('finds none in "%s"', (text) =>
  expect(digitsOf(text)).toBe(''),
)
