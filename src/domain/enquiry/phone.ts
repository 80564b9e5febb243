export const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** Keeps the digits of a ZIP; a ZIP+4 is cut to its first five digits. */
export function formatZip(text: string): string {
  const digits = digitsOf(text)
  return digits.length === 9 ? digits.slice(0, 5) : digits
}

const phoneDigits = 10

/** The beginning of an extension: `ext. 5`, `x5`, `#5`, and `;ext=5` of RFC 3966. */
const extension = /(ext|x|#|;).*/is

/** Returns the digits of a U.S. number without country code and extension. Surplus digits stay, so the rule refuses them. */
function nationalDigits(text: string): string {
  const digits = digitsOf(text.replace(extension, ''))
  return digits.length > phoneDigits ? digits.replace(/^1/, '') : digits
}

/**
 * Returns whether the text begins like a foreign number: `+` and a country code other than 1, or 011. The first ten
 * digits of a foreign number would be a stranger's U.S. number. A lone `+` may still become foreign.
 */
const isForeignNumber = (text: string): boolean =>
  /^[^\d+]*\+\D*($|[02-9])/.test(text) || digitsOf(text).startsWith('011')

/**
 * Returns the ten digits of a complete phone number with the usual separators; undefined for any other text. A number
 * with one digit too many is an error, not another number.
 */
export function phoneNumber(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '')
  return /^\d{10}$/.test(digits) ? digits : undefined
}

/**
 * Formats a complete U.S. number as the field does, with any country code, extension or punctuation around its ten
 * digits. Other text stays as typed, so that the visitor can correct it.
 */
export const tidyPhone = (text: string): string =>
  isForeignNumber(text) || nationalDigits(text).length !== phoneDigits
    ? text.trim()
    : formatPhone(text)

/** Formats the phone field while the visitor types. A foreign number stays as typed, so that the error can name it. */
export function formatPhone(text: string): string {
  // The field itself wrote the parentheses, while the digits could be an area code.
  if (isForeignNumber(text)) return text.replace(/[()]/g, '')
  const digits = nationalDigits(text)
  if (digits.length === 0) return ''
  if (digits.length <= 3) return `(${digits}`
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
}
