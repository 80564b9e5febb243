const phoneDigits = 10

const allDigits = (text: string): string => text.replace(/\D/g, '')

/** The digits of a U.S. phone number, at most ten; a leading country code 1 is dropped, as no area code starts with 1. */
export function phoneNumberDigits(text: string): string {
  return allDigits(text).replace(/^1/, '').slice(0, phoneDigits)
}

/**
 * A whole phone number's ten digits, or undefined: as the field formats it, or plain digits with the usual separators.
 * Nothing is cut off here, so that a number with a digit too many is a fault and not another number.
 */
export function phoneNumber(text: string): string | undefined {
  const digits = allDigits(text)
  return digits.length === phoneDigits && /^[\d\s().-]+$/.test(text) ? digits : undefined
}

/** `(xxx) xxx-xxxx`, as far as there are digits (section 5). */
export const formatPhone = (text: string): string => formatDigits(phoneNumberDigits(text))

/**
 * Formats what stands in the phone field and says where the caret belongs: behind as many digits as it stood behind
 * before, so that typing and deleting in the middle of a number keeps its place.
 * @param caret UTF-16 offset in `text`
 * @param inputType the InputEvent's: what deleted only a bracket, a space or the hyphen deletes the digit beyond it,
 * as the mark comes back at once and the Delete key would never get past it
 */
export function formatPhoneAtCaret(
  text: string,
  caret: number,
  inputType = '',
): { text: string; caret: number } {
  let before = text.slice(0, caret)
  let after = text.slice(caret)
  if (lacksOnlyTheMarkAt(text, caret)) {
    if (inputType === 'deleteContentBackward') before = before.replace(/\d\D*$/, '')
    if (inputType === 'deleteContentForward') after = after.replace(/\d/, '')
  }
  // A 1 that comes to the front because the digits before it were deleted is the visitor's, not a country code.
  const read = inputType.startsWith('delete') ? allDigits : phoneNumberDigits
  const formatted = formatDigits(read(before + after))
  return { text: formatted, caret: offsetBehindDigits(formatted, read(before).length) }
}

function formatDigits(digits: string): string {
  if (digits.length === 0) return ''
  if (digits.length <= 3) return `(${digits}`
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
}

function lacksOnlyTheMarkAt(text: string, offset: number): boolean {
  const formatted = formatDigits(allDigits(text))
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
