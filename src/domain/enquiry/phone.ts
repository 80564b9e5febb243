const nonDigits = /\D/g
const phoneDigits = 10

/** The digits of a U.S. phone number, at most ten; a leading country code 1 is dropped, as no area code starts with 1. */
export function phoneNumberDigits(text: string): string {
  return text.replace(nonDigits, '').replace(/^1/, '').slice(0, phoneDigits)
}

/**
 * A whole phone number's ten digits, or undefined: as the field formats it, or plain digits with the usual separators.
 * Nothing is cut off here, so that a number with a digit too many is a fault and not another number.
 */
export function phoneNumber(text: string): string | undefined {
  const digits = text.replace(nonDigits, '')
  return digits.length === phoneDigits && /^[\d\s().-]+$/.test(text) ? digits : undefined
}

/** `(xxx) xxx-xxxx`, as far as there are digits (section 5). */
export function formatPhone(text: string): string {
  const digits = phoneNumberDigits(text)
  if (digits.length === 0) return ''
  if (digits.length <= 3) return `(${digits}`
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
}

/**
 * Formats what stands in the phone field and says where the caret belongs: behind as many digits as it stood behind
 * before, so that typing and deleting in the middle of a number keeps its place.
 * @param caret UTF-16 offset in `text`
 */
export function formatPhoneAtCaret(text: string, caret: number): { text: string; caret: number } {
  const formatted = formatPhone(text)
  const digitsBefore = phoneNumberDigits(text.slice(0, caret)).length
  return {
    text: formatted,
    caret: offsetBehindDigits(formatted, digitsBefore, caret >= text.length),
  }
}

function offsetBehindDigits(formatted: string, count: number, atEnd: boolean): number {
  if (atEnd) return formatted.length
  if (count === 0) return 0
  let seen = 0
  for (let offset = 0; offset < formatted.length; offset++) {
    if (/\d/.test(formatted.charAt(offset))) seen++
    if (seen === count) return offset + 1
  }
  return formatted.length
}
