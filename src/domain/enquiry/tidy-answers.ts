import { stateCode } from './address/state-code.ts'
import type { Answers, Field } from './answers.ts'
import { digitsOf } from './contact/digits-of.ts'
import { tidyPhone } from './contact/phone.ts'
import { tidyLine } from './tidy-line.ts'

const zipDigits = 5

/** Five digits, of a ZIP+4 the first five. What holds neither stays as it was typed, so that it can be corrected. */
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
 * Answers in the one way of writing that the rules and the own API know, whoever wrote them: a person, autofill, or a
 * clipboard. The field may have done the same before; where there is no script, or it did not hear of the change, this does.
 */
export function tidyAnswers(answers: Answers): Answers {
  const texts = Object.entries(answers) as [Field, string][]
  return {
    ...answers,
    ...Object.fromEntries(texts.map(([field, text]) => [field, tidyAnswer(field, text)])),
  }
}
