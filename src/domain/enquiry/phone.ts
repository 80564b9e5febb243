const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

const asciiDigits = new Map<string, string>()

/** Converts a digit of any script to an ASCII digit. Unicode lists the ten digits of a script in order. */
function toAsciiDigit(digit: string): string {
  const known = asciiDigits.get(digit)
  if (known) return known
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (isDigit(zero - 1)) zero -= 1
  const ascii = String((code - zero) % 10)
  // A long text of such digits would otherwise take long.
  asciiDigits.set(digit, ascii)
  return ascii
}

/** Returns the digits of a text as ASCII digits. */
export const extractDigits = (text: string): string =>
  /[^ -~]/.test(text)
    ? text.replace(/\P{Nd}/gu, '').replace(/./gu, toAsciiDigit)
    : text.replace(/\D/g, '')

/** The text in a field, and the position of the caret in UTF-16 units. */
interface TextWithCaret {
  readonly text: string
  readonly caret: number
}

/**
 * Formats a field's text and keeps the caret behind the same digits.
 * @param inputType the InputEvent's: `insertText` only for one typed character, or empty
 */
export type CaretKeepingFormatter = (
  text: string,
  caret: number,
  inputType: string,
) => TextWithCaret

/** Removes all but digits. Extra digits stay, so that the visitor sees them and the field's rule refuses them. */
export const formatDigitsKeepingCaret: CaretKeepingFormatter = (text, caret) =>
  placeCaret(extractDigits(text), text, caret)

/** Keeps the digits of a ZIP; of a ZIP+4, only the first five digits stay. */
export const formatZipKeepingCaret: CaretKeepingFormatter = (text, caret, inputType) => {
  const isSurplus = inputType === 'insertText' && extractDigits(text).length > 5
  const from = isSurplus ? caret - 1 : caret
  const kept = text.slice(0, from) + text.slice(caret)
  return placeCaret(zipOfZipPlus4(kept) ?? extractDigits(kept), kept, from)
}

/** Returns the five digits of a ZIP+4, or undefined. Other groups of nine digits could be another number. */
export const zipOfZipPlus4 = (text: string): string | undefined =>
  /^\D*(\d{5})\D*\d{4}\D*$/.exec(toAsciiDigits(text))?.[1]

function placeCaret(digits: string, text: string, caret: number): TextWithCaret {
  return {
    text: digits,
    caret: Math.min(extractDigits(text.slice(0, caret)).length, digits.length),
  }
}

const phoneDigits = 10

/** Removes country code 1 and all non-digits. */
const extractNationalDigits = (text: string): string => extractDigits(text).replace(/^1/, '')

/** Recognizes a foreign number by 011, or by `+` without 1. Ten digits of a foreign number could be a U.S. number. */
const isForeignNumber = (text: string): boolean =>
  /^[^\d+]*\+\D*($|[02-9])/.test(toAsciiDigits(text)) || extractDigits(text).startsWith('011')

const toAsciiDigits = (text: string): string =>
  text.replace(/[^ -~]/gu, (character) => extractDigits(character) || character)

/** Returns the ten digits of a phone number that has only the usual separators; undefined for any other text. */
export function parsePhoneNumber(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '')
  return /^\d{10}$/.test(digits) ? digits : undefined
}

/** Matches an extension such as `ext 5`, `x5`, `#5`, or `;ext=5` of RFC 3966, without which the call reaches others. */
const extension = /^[^x#;]*[x#;].*\d/is

const hasExtension = (text: string): boolean => extension.test(toAsciiDigits(text))

/** Formats a complete U.S. number as the phone field does. Other text stays as typed for the visitor to correct. */
export function normalizePhone(text: string): string {
  if (isForeignNumber(text) || hasExtension(text)) return text.trim()
  const digits = extractDigits(text)
  const national = digits.length === phoneDigits + 1 ? digits.replace(/^1/, '') : digits
  return national.length === phoneDigits ? formatPhoneDigits(national) : text.trim()
}

/**
 * Formats the text in the phone field. If a visitor deletes only a punctuation mark, the neighboring digit is deleted,
 * too: otherwise the mark would reappear at once, and the Delete key would never get past it.
 */
export const formatPhoneKeepingCaret: CaretKeepingFormatter = (text, caret, inputType) => {
  if (isForeignNumber(text)) {
    return {
      text: text.replace(brackets, ''),
      caret: text.slice(0, caret).replace(brackets, '').length,
    }
  }
  let before = text.slice(0, caret)
  let after = text.slice(caret)
  if (isOnlyPunctuationDeletedAt(text, caret)) {
    if (inputType === 'deleteContentBackward') before = before.replace(/\d\D*$/, '')
    if (inputType === 'deleteContentForward') after = after.replace(/\d/, '')
  }
  // If a deletion moves a 1 to the front, the 1 is a digit of the number, not the country code.
  const digitsFrom = inputType.startsWith('delete') ? extractDigits : extractNationalDigits
  if (inputType === 'insertText') {
    const isSurplus = digitsFrom(text).length > phoneDigits
    if (isSurplus || !extractDigits(before.slice(-1))) before = before.slice(0, -1)
  }
  if (hasExtension(before + after)) return { text: before + after, caret: before.length }
  const formatted = formatPhoneDigits(digitsFrom(before + after))
  return { text: formatted, caret: findOffsetAfterDigits(formatted, digitsFrom(before).length) }
}

/** Matches the parentheses that the field has added around an area code. */
const brackets = /[()]/g

/** Formats the digits of a complete or incomplete number as `(xxx) xxx-xxxx`. */
function formatPhoneDigits(digits: string): string {
  if (digits.length === 0) return ''
  if (digits.length <= 3) return `(${digits}`
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
}

function isOnlyPunctuationDeletedAt(text: string, offset: number): boolean {
  const formatted = formatPhoneDigits(extractDigits(text))
  const withoutPunctuation = formatted.slice(0, offset) + formatted.slice(offset + 1)
  return offset < formatted.length && withoutPunctuation === text
}

function findOffsetAfterDigits(formatted: string, count: number): number {
  if (count === 0) return 0
  let digitsSeen = 0
  for (let offset = 0; offset < formatted.length; offset++) {
    if (/\d/.test(formatted.charAt(offset))) digitsSeen++
    if (digitsSeen === count) return offset + 1
  }
  return formatted.length
}
