import { removeInvisible } from '../text/plain-line.ts'
import type { Answers, Field } from './enquiry.ts'
import { digitsOf, tidyPhone } from './phone.ts'
import { stateCode } from './state-code.ts'

/** Normalizing a run of accents takes the square of its length, 2.9 s for 32,000; no field may have more than 254. */
const maxNormalized = 1000

/**
 * A line as it is stored: each kind of space becomes one plain space, invisible characters are removed, an accented letter
 * is one character. Letters of every script stay as they are.
 */
export function tidyLine(text: string): string {
  const line = removeInvisible(text).replace(/ +/g, ' ').trim()
  return line.length > maxNormalized ? line : line.normalize('NFC')
}

const zipDigits = 5

/** Five digits, of a ZIP+4 the first five. Text with neither stays as typed, so that the visitor can correct it. */
export function tidyZip(text: string): string {
  const digits = digitsOf(text)
  return digits.length === zipDigits || digits.length === zipDigits + 4
    ? digits.slice(0, zipDigits)
    : text.trim()
}

function tidyYear(text: string): string {
  const digits = digitsOf(text)
  return digits.length === 4 ? digits : text.trim()
}

const tidy: Partial<Record<Field, (text: string) => string>> = {
  firstName: tidyLine,
  lastName: tidyLine,
  phone: tidyPhone,
  email: tidyLine,
  address: tidyLine,
  zip: tidyZip,
  city: tidyLine,
  state: (text) => stateCode(text) ?? tidyLine(text),
  graduatingYear: tidyYear,
}

export const tidyAnswer = (field: Field, text: string): string => tidy[field]?.(text) ?? text

/** Normalizes answers to the spelling that the rules and the own API know, also without script and after autofill. */
export function tidyAnswers(answers: Answers): Answers {
  const texts = Object.entries(answers) as [Field, string][]
  return {
    ...answers,
    ...Object.fromEntries(texts.map(([field, text]) => [field, tidyAnswer(field, text)])),
  }
}
