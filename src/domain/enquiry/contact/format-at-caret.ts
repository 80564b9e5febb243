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

/** Digits only, so many at most. */
export const digitsAtCaret =
  (most: number): FormatAtCaret =>
  (text, caret) => {
    const digits = digitsOf(text).slice(0, most)
    return { text: digits, caret: Math.min(digitsOf(text.slice(0, caret)).length, digits.length) }
  }
