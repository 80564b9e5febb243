import { digitsOf } from './digits-of.ts'
import type { FormatAtCaret } from './format-at-caret.ts'

const phoneDigits = 10

/**
 * The digits of a U.S. phone number without its extension and a leading country code 1, as no area code starts with 1.
 * Surplus digits stay, so that the visitor sees them and the rule refuses them (section 5).
 */
const phoneNumberDigits = (text: string): string =>
  digitsOf(text.replace(extension, '')).replace(/^1/, '')

/**
 * Whether it begins as a number of another country does: `+` and another code than 1, or 011, by which one dials out of the
 * U.S. Cut to ten digits it would be somebody else's number here. A `+` alone may still become one.
 */
export const isForeignNumber = (text: string): boolean =>
  /^[^\d+]*\+\D*($|[02-9])/.test(withAsciiDigits(text)) || digitsOf(text).startsWith('011')

const withAsciiDigits = (text: string): string =>
  text.replace(/[^ -~]/gu, (character) => digitsOf(character) || character)

/**
 * A whole phone number's ten digits, or undefined: as the field formats it, or plain digits with the usual separators.
 * Nothing is cut off here, so that a number with a digit too many is a fault and not another number.
 */
export function phoneNumber(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '')
  return /^\d{10}$/.test(digits) ? digits : undefined
}

/** What begins an extension: `ext. 5`, `x5`, `#5`, and `;ext=5` of RFC 3966. */
const extension = /(ext|x|#|;).*/is

/**
 * A U.S. number as the field formats it, from whatever people and their devices write around its ten digits: the country
 * code, an extension, any marks. What is none stays as it was typed, so that it can be corrected.
 */
export function tidyPhone(text: string): string {
  if (isForeignNumber(text)) return text.trim()
  const digits = digitsOf(text.replace(extension, ''))
  const national = digits.length === phoneDigits + 1 ? digits.replace(/^1/, '') : digits
  return national.length === phoneDigits ? formatDigits(national) : text.trim()
}

/**
 * The phone field's format. A number of another country stays as it is written, so that it can be told of. What deleted only a bracket, a space or the hyphen deletes the digit beyond it, as the mark
 * comes back at once and the Delete key would never get past it.
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
  if (lacksOnlyTheMarkAt(text, caret)) {
    if (inputType === 'deleteContentBackward') before = before.replace(/\d\D*$/, '')
    if (inputType === 'deleteContentForward') after = after.replace(/\d/, '')
  }
  // A 1 that comes to the front because the digits before it were deleted is the visitor's, not a country code.
  const read = inputType.startsWith('delete') ? digitsOf : phoneNumberDigits
  const formatted = formatDigits(read(before + after))
  return { text: formatted, caret: offsetBehindDigits(formatted, read(before).length) }
}

/** What this field has written around the first digits, while they could be an area code. */
const brackets = /[()]/g

/** `(xxx) xxx-xxxx`, as far as there are digits. */
function formatDigits(digits: string): string {
  if (digits.length === 0) return ''
  if (digits.length <= 3) return `(${digits}`
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
}

function lacksOnlyTheMarkAt(text: string, offset: number): boolean {
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
