import { removeInvisible } from '../text/plain-line.ts'
import type { Answers, Field } from './enquiry.ts'
import { extractDigits, normalizePhone } from './phone.ts'
import { findStateCode } from './state-code.ts'

/** Longer texts are not normalized, because 32,000 accents take 2.9 s; no field allows more than 254 characters. */
const maxNormalized = 1000

/**
 * Normalizes a line for storage: each kind of space becomes one plain space, invisible characters are removed, an
 * accented letter becomes one character. Letters of every script stay as they are.
 */
export function normalizeLine(text: string): string {
  const line = removeInvisible(text).replace(/ +/g, ' ').trim()
  return line.length > maxNormalized ? line : line.normalize('NFC')
}

const zipDigits = 5

/** Returns the first five digits of a ZIP or ZIP+4. Other text stays as typed for the visitor to correct. */
export function normalizeZip(text: string): string {
  const digits = extractDigits(text)
  return digits.length === zipDigits || digits.length === zipDigits + 4
    ? digits.slice(0, zipDigits)
    : text.trim()
}

function normalizeYear(text: string): string {
  const digits = extractDigits(text)
  return digits.length === 4 ? digits : text.trim()
}

const tidy: Partial<Record<Field, (text: string) => string>> = {
  firstName: normalizeLine,
  lastName: normalizeLine,
  phone: normalizePhone,
  email: normalizeLine,
  address: normalizeLine,
  zip: normalizeZip,
  city: normalizeLine,
  state: (text) => findStateCode(text) ?? normalizeLine(text),
  graduatingYear: normalizeYear,
}

export const normalizeAnswer = (field: Field, text: string): string => tidy[field]?.(text) ?? text

/** Normalizes answers to the format that the rules and our own API expect. */
export function normalizeAnswers(answers: Answers): Answers {
  const texts = Object.entries(answers) as [Field, string][]
  return {
    ...answers,
    ...Object.fromEntries(texts.map(([field, text]) => [field, normalizeAnswer(field, text)])),
  }
}
