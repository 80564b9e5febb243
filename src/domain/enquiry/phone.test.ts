import { describe, expect, it } from 'vitest'
import {
  extractDigits,
  formatPhoneKeepingCaret,
  formatZipKeepingCaret,
  normalizePhone,
  parsePhoneNumber,
} from './phone.ts'

it.each([
  ['ASCII', '0123456789'],
  ['Arabic', '٠١٢٣٤٥٦٧٨٩'],
  ['Persian', '۰۱۲۳۴۵۶۷۸۹'],
  ['Devanagari', '०१२३४५६७८९'],
  ['Bengali', '০১২৩৪৫৬৭৮৯'],
  ['Thai', '๐๑๒๓๔๕๖๗๘๙'],
  ['full width', '０１２３４５６７８９'],
  ['mathematical bold', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗'],
  ['mathematical monospace', '𝟶𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿'],
])('reads the digits of %s', (_, digits) => {
  expect(extractDigits(digits)).toBe('0123456789')
  expect(extractDigits([...digits].join(' .-x'))).toBe('0123456789')
})

it('reads every decimal digit that Unicode has, each row from 0 to 9', () => {
  const all = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Nd}/u.test(character))
  expect(all.length % 10).toBe(0)
  expect(all.map(extractDigits).join('')).toBe('0123456789'.repeat(all.length / 10))
})

it.each(['', 'no digits', '½ ² Ⅷ 一'])('finds none in "%s"', (text) =>
  expect(extractDigits(text)).toBe(''),
)

/** In the test texts, `|` marks the caret. */
function formatted(marked: string, inputType = ''): string {
  const caret = marked.indexOf('|')
  const { text, caret: at } = formatZipKeepingCaret(marked.replace('|', ''), caret, inputType)
  return `${text.slice(0, at)}|${text.slice(at)}`
}

it.each([
  ['a ZIP+4', '34236-5610|', '34236|'],
  ['a space before it', ' 34236|', '34236|'],
  ['a space behind it', '34236 |', '34236|'],
  ['a state before it', 'FL 34236|', '34236|'],
  ['a letter at the end', '342x|', '342|'],
  ['a letter in the middle', '34x|236', '34|236'],
  ['a digit in the middle', '341|23', '341|23'],
  ['six pasted digits, which stay visible', '342367|', '342367|'],
  ['a paste into a partly filled field, which stays visible', '3423420|', '3423420|'],
  ['nine digits that are no ZIP+4', '941-555-010|', '941555010|'],
  ['fifty digits', `${'94155'.repeat(10)}|`, `${'94155'.repeat(10)}|`],
  ['a paste in the middle', '3 42|6', '342|6'],
  ['a paste over what was selected', '9-02|10', '902|10'],
  ['the last digit of a ZIP+4', '342365610|', '34236|'],
  ['a digit deleted before the caret', '34|36', '34|36'],
  ['everything deleted', '|', '|'],
  ['digits of full width', '３４２|３６', '342|36'],
  ['digits of two UTF-16 units', '𝟑𝟒|𝟐', '34|2'],
  ['letters alone', 'abc|', '|'],
])('%s', (_, typed, shown) => expect(formatted(typed)).toBe(shown))

it.each([
  ['a sixth digit', '342367|', '34236|'],
  ['a sixth digit in the middle', '349|236', '34|236'],
  ['a digit behind six pasted digits', '3423678|', '342367|'],
  ['the hyphen of a ZIP+4', '34236-|', '34236|'],
  ['a digit of full width', '34236５|', '34236|'],
  ['a fifth digit', '3423|6', '3423|6'],
])('typed: %s', (_, typed, shown) => expect(formatted(typed, 'insertText')).toBe(shown))

/** In the test texts, `|` marks the caret. */
function split(marked: string) {
  const caret = marked.indexOf('|')
  return { text: marked.replace('|', ''), caret }
}

function edit(marked: string, inputType: string): string {
  const { text, caret } = split(marked)
  const next = formatPhoneKeepingCaret(text, caret, inputType)
  return `${next.text.slice(0, next.caret)}|${next.text.slice(next.caret)}`
}

const type = (marked: string, key: string) => edit(marked.replace('|', `${key}|`), 'insertText')
const paste = (marked: string, text: string) =>
  edit(marked.replace('|', `${text}|`), 'insertFromPaste')
const backspace = (marked: string) => edit(marked.replace(/.\|/s, '|'), 'deleteContentBackward')
const del = (marked: string) => edit(marked.replace(/\|./s, '|'), 'deleteContentForward')

const whole = '(941) 555-0100|'

describe('typing digit by digit', () => {
  const states = [
    '(9|',
    '(94|',
    '(941|',
    '(941) 5|',
    '(941) 55|',
    '(941) 555|',
    '(941) 555-0|',
    '(941) 555-01|',
    '(941) 555-010|',
    '(941) 555-0100|',
  ]

  it('formats an incomplete number', () => {
    const seen: string[] = []
    for (const key of '9415550100') seen.push(type(seen.at(-1) ?? '|', key))
    expect(seen).toEqual(states)
  })

  it('passes through the same states with Backspace', () => {
    const seen = [whole]
    while (seen.at(-1) !== '|') seen.push(backspace(seen.at(-1) ?? '|'))
    expect(seen).toEqual([...states.toReversed(), '|'])
  })

  it.each([
    ['an eleventh digit', type(whole, '7'), whole],
    ['an eleventh digit in the middle', type('(941) 5|55-0100', '7'), '(941) 5|55-0100'],
    ['an eleventh digit of full width', type(whole, '７'), whole],
    ['the country code before a whole number', type('|(941) 555-0100', '1'), '|(941) 555-0100'],
    ['a digit behind twelve pasted digits', type('(941) 555-010023|', '4'), '(941) 555-010023|'],
    ['a digit behind a pasted extension', type('941 555 0100 x5|', '4'), '941 555 0100 x5|'],
    ['a letter before digits', type('(94|1) 555-0100', 'x'), '(94|1) 555-0100'],
    ['a letter', type('(941|', 'x'), '(941|'],
    ['the country code', [...'+19'].reduce(type, '|'), '(9|'],
    ['a digit in the middle', type('(94|5) 550-100', '1'), '(941|) 555-0100'],
    ['a digit before the bracket closes', type('(941|) 550-100', '5'), '(941) 5|55-0100'],
  ])('%s', (_, after, expected) => expect(after).toBe(expected))
})

describe('deleting in the middle', () => {
  it.each([
    ['Backspace on a digit', backspace('(941) 55|5-0100'), '(941) 5|50-100'],
    ['Backspace on the space', backspace('(941) |555-0100'), '(94|5) 550-100'],
    ['Backspace on the closing bracket', backspace('(941)| 555-0100'), '(94|5) 550-100'],
    ['Backspace on the hyphen', backspace('(941) 555-|0100'), '(941) 55|0-100'],
    ['Backspace on the first bracket', backspace('(|941) 555-0100'), '|(941) 555-0100'],
    ['Delete on a digit', del('(941) 5|55-0100'), '(941) 5|50-100'],
    ['Delete on the closing bracket', del('(941|) 555-0100'), '(941|) 550-100'],
    ['Delete on the hyphen', del('(941) 555|-0100'), '(941) 555|-100'],
    ['Delete on the first bracket', del('|(941) 555-0100'), '|(415) 550-100'],
    ['a cut of three digits', edit('(|) 555-0100', 'deleteByCut'), '|(555) 010-0'],
  ])('%s', (_, after, expected) => expect(after).toBe(expected))

  it('keeps a 1 that becomes the first digit', () => {
    const without94 = backspace(backspace('(94|1) 555-0100'))
    expect(without94).toBe('|(155) 501-00')
    expect(type(type(without94, '8'), '4')).toBe('(84|1) 555-0100')
  })

  it('empties the field with Delete alone', () => {
    let marked = '|(941) 555-0100'
    for (let n = 0; n < 10; n++) marked = del(marked)
    expect(marked).toBe('|')
  })
})

describe('pasting', () => {
  it.each([
    ['|', '+1 941.555.0100', whole],
    ['|', '1-941-555-0100', whole],
    ['|', '(941) 555-0100 ext. 12', '(941) 555-0100 ext. 12|'],
    ['|', '1-415-555-010 #7', '1-415-555-010 #7|'],
    ['|', 'tel:+19415550100;ext=３', 'tel:+19415550100;ext=３|'],
    ['(941) 555-0100|', ' x9', '(941) 555-0100 x9|'],
    ['(941|) 555-0100', '22', '(941) 22|5-550100'],
    [
      '|',
      '94155501009415550100'.repeat(3),
      '(941) 555-01009415550100'.concat('94155501009415550100'.repeat(2), '|'),
    ],
    ['(941|', '5550100', whole],
    ['|0100', '941 555', '(941) 555|-0100'],
    ['|', '\u202A+1\u00A0941\u2011555\u20110100\u202C', whole],
    ['|', '+١ ٩٤١ ٥٥٥ ٠١٠٠', whole],
    ['(941|', '５５５０１００', whole],
    ['|', '9415550100123', '(941) 555-0100123|'],
    ['|', 'no digits', '|'],
  ])('into %s: %s', (before, text, expected) => expect(paste(before, text)).toBe(expected))
})

describe('a number of another country', () => {
  it.each([
    '+44 20 7946 0958',
    '+52 55 1234 5678',
    '+47 22 12 34 56',
    '+٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨',
    '011 44 20 7946 0958',
    '011442079460958',
  ])('%s stays as typed, pasted or filled in, and is invalid', (text) => {
    expect([...text].reduce(type, '|')).toBe(`${text}|`)
    expect(paste('|', text)).toBe(`${text}|`)
    expect(normalizePhone(` ${text}`)).toBe(text)
    expect(parsePhoneNumber(text)).toBeUndefined()
  })

  it('can be deleted and replaced by a U.S. number', () => {
    expect(backspace('011|')).toBe('(01|')
    expect([...'9415550100'].reduce(type, backspace('+|'))).toBe(whole)
    expect(normalizePhone('+ 1 (941) 555-0100')).toBe('(941) 555-0100')
    expect(paste('|', '+ (1) 941 555 0100')).toBe(whole)
  })
})

it.each(['9415550100123', '941 555 0100 x123', '1 415 555 010 ext 7', '9'.repeat(50)])(
  'keeps the extra digits of %s visible, and refuses them',
  (text) => {
    for (const shown of [paste('|', text).replace('|', ''), normalizePhone(text)]) {
      expect(extractDigits(shown)).toBe(extractDigits(text))
      expect(parsePhoneNumber(shown)).toBeUndefined()
    }
  },
)

it('reads a long text of digits fast', () => {
  expect(extractDigits('٩'.repeat(64_000))).toBe('9'.repeat(64_000))
})

it.each([
  ['(941) 555-0100', '9415550100'],
  ['941.555.0100', '9415550100'],
  ['(941) 555-010', undefined],
  ['(941) 555-01000', undefined],
  ['941555010x0', undefined],
  ['', undefined],
])('parsePhoneNumber(%j) is %j', (text, expected) => expect(parsePhoneNumber(text)).toBe(expected))
