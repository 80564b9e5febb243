/** Longer than any number in the form: a very long text costs no more than a short one. */
const maxDigits = 40

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** Unicode lists each script's ten digits in a row, from zero to nine. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (isDigit(zero - 1)) zero -= 1
  return String((code - zero) % 10)
}

/** The first {@link maxDigits} digits of a text, of any script, as 0 to 9. */
export const digitsOf = (text: string): string =>
  /[^ -~]/.test(text)
    ? [...text.replace(/\P{Nd}/gu, '')].slice(0, maxDigits).map(asciiDigit).join('')
    : text.replace(/\D/g, '').slice(0, maxDigits)

/** A field's text, and the caret's UTF-16 offset in it. */
interface TextAtCaret {
  readonly text: string
  readonly caret: number
}

/**
 * Formats a field's content and keeps the caret behind the same number of digits.
 * @param inputType the InputEvent's; empty where it is not known
 */
export type FormatAtCaret = (text: string, caret: number, inputType: string) => TextAtCaret

/** Digits only. Surplus digits stay, so that the visitor sees them and the field's rule refuses them. */
export const digitsAtCaret: FormatAtCaret = (text, caret) => withCaret(digitsOf(text), text, caret)

/** The same for a ZIP; of a ZIP+4 the first five digits. */
export const zipAtCaret: FormatAtCaret = (text, caret) => {
  const digits = digitsOf(text)
  return withCaret(digits.length === 9 ? digits.slice(0, 5) : digits, text, caret)
}

function withCaret(digits: string, text: string, caret: number): TextAtCaret {
  return { text: digits, caret: Math.min(digitsOf(text.slice(0, caret)).length, digits.length) }
}

const phoneDigits = 10

/**
 * The digits of a U.S. phone number without its extension and a leading country code 1, as no area code starts with 1.
 * Surplus digits stay, so that the visitor sees them and the rule refuses them (section 5).
 */
const phoneNumberDigits = (text: string): string =>
  digitsOf(text.replace(extension, '')).replace(/^1/, '')

/**
 * Whether it begins like a foreign number: `+` and another code than 1, or 011. Cut to ten digits it would be somebody
 * else's U.S. number. A `+` alone may still become one.
 */
const isForeignNumber = (text: string): boolean =>
  /^[^\d+]*\+\D*($|[02-9])/.test(withAsciiDigits(text)) || digitsOf(text).startsWith('011')

const withAsciiDigits = (text: string): string =>
  text.replace(/[^ -~]/gu, (character) => digitsOf(character) || character)

/**
 * A whole phone number's ten digits, as the field formats it or with the usual separators; else undefined. A number with a
 * digit too many is an error and not another number.
 */
export function phoneNumber(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '')
  return /^\d{10}$/.test(digits) ? digits : undefined
}

/** The beginning of an extension: `ext. 5`, `x5`, `#5`, and `;ext=5` of RFC 3966. */
const extension = /(ext|x|#|;).*/is

/**
 * Formats a U.S. number as the field does, whatever is written around its ten digits: a country code, an extension, any
 * marks. Other text stays as typed, so that the visitor can correct it.
 */
export function tidyPhone(text: string): string {
  if (isForeignNumber(text)) return text.trim()
  const digits = digitsOf(text.replace(extension, ''))
  const national = digits.length === phoneDigits + 1 ? digits.replace(/^1/, '') : digits
  return national.length === phoneDigits ? formatDigits(national) : text.trim()
}

/**
 * The phone field's format. A foreign number stays as written, so that the error can name it. Deleting only a mark deletes
 * the digit beyond it: the mark comes back at once, and the Delete key would never get past it.
 */
export const formatPhoneAtCaret: FormatAtCaret = (text, caret, inputType) => {
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
  // A 1 that moves to the front when the digits before it are deleted is the visitor's own, not a
  // country code.
  const read = inputType.startsWith('delete') ? digitsOf : phoneNumberDigits
  const formatted = formatDigits(read(before + after))
  return { text: formatted, caret: offsetBehindDigits(formatted, read(before).length) }
}

/** The marks that this field wrote around the first digits while they could be an area code. */
const brackets = /[()]/g

/** `(xxx) xxx-xxxx`, as far as there are digits. */
function formatDigits(digits: string): string {
  if (digits.length === 0) return ''
  if (digits.length <= 3) return `(${digits}`
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
}

function isOnlyPunctuationDeletedAt(text: string, offset: number): boolean {
  const formatted = formatDigits(digitsOf(text))
  const without = formatted.slice(0, offset) + formatted.slice(offset + 1)
  return offset < formatted.length && without === text
}

function offsetBehindDigits(formatted: string, count: number): number {
  if (count === 0) return 0
  let seen = 0
  for (let offset = 0; offset < formatted.length; offset++) {
    if (/\d/.test(formatted.charAt(offset))) seen++
    if (seen === count) return offset + 1
  }
  return formatted.length
}
