import { digitsOf } from './digits-of.ts'

/** A field's text, and the caret's UTF-16 offset in it. */
export interface TextAtCaret {
  readonly text: string
  readonly caret: number
}

/**
 * What stands in a field, written as it belongs there, with the caret behind as many digits as it stood behind before.
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
