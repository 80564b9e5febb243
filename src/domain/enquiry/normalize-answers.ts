import { removeInvisibleCharacters } from '../text/plain-line.ts'
import { extractDigits, zipOfZipPlus4 } from './phone.ts'

/**
 * Longer texts are not composed, because composing 32,000 accents takes 2.9 s. Every field's limit is below 1,000
 * characters.
 */
const maxNormalized = 1000

/** Removes invisible characters, joins runs of spaces of any kind, and composes accented letters. */
export function normalizeLine(text: string): string {
  const line = removeInvisibleCharacters(text).replace(/ +/g, ' ').trim()
  return line.length > maxNormalized ? line : line.normalize('NFC')
}

/** Returns the first five digits of a ZIP or ZIP+4. Other text stays as typed, so that the visitor can correct it. */
export function normalizeZip(text: string): string {
  const digits = extractDigits(text)
  return digits.length === 5 ? digits : (zipOfZipPlus4(text) ?? text.trim())
}

export function normalizeYear(text: string): string {
  const digits = extractDigits(text)
  return digits.length === 4 ? digits : text.trim()
}

/** Removes one dot at the end, which iOS types for two spaces; no email address ends with a dot. */
export const normalizeEmail = (text: string): string =>
  normalizeLine(text).replace(/([^.])\.$/, '$1')
