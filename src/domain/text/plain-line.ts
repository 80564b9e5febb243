import { unseen } from './invisible-characters.ts'

/** One line of well-formed UTF-16, trimmed, without {@link unseen} characters: any store, file and terminal can hold it. */
export type PlainLine = string & { readonly brand: unique symbol }

/** Tabs and breaks of every kind, and every space that is not U+0020. */
const spaces = /[\t-\r\x85\u2028\u2029\p{Zs}]/gu

/**
 * Breaks, tabs and odd spaces become spaces; invisible characters are removed. Not trimmed: a
 * visitor who is still typing may end with a space.
 */
export const removeInvisible = (text: string): string =>
  // Most text is plain ASCII. Compiling the Unicode patterns takes a slow phone 10 ms.
  /[^ -~]/.test(text) ? text.replace(spaces, ' ').replace(unseen, '') : text

/** Turns foreign text into a {@link PlainLine}. */
export const plainLine = (text: string): PlainLine => removeInvisible(text).trim() as PlainLine
