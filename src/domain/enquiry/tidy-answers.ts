import { removeInvisible } from '../text/plain-line.ts'
import type { Answers, Field } from './enquiry.ts'
import { digitsOf, tidyPhone } from './phone.ts'
import { stateCode } from './state-code.ts'

/**
 * Normalizing takes the square of a run of accents, 2.9 s for 32,000 of them; no field may have more than 254 characters.
 */
const mostNormalized = 1000

/**
 * A line as it is stored: each kind of space (there are seventeen, and the tab) becomes one plain
 * space; invisible characters are removed; an accented letter is one character, however it was
 * typed. Letters of every script stay as they are.
 */
export function tidyLine(text: string): string {
  const line = removeInvisible(text).replace(/ +/g, ' ').trim()
  return line.length > mostNormalized ? line : line.normalize('NFC')
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

/**
 * Normalizes answers to the one spelling that the rules and the own API know, whether typed,
 * autofilled or pasted. The field may have done the same before; where there is no script, or it
 * did not hear of the change, this does.
 */
export function tidyAnswers(answers: Answers): Answers {
  const texts = Object.entries(answers) as [Field, string][]
  return {
    ...answers,
    ...Object.fromEntries(texts.map(([field, text]) => [field, tidyAnswer(field, text)])),
  }
}
