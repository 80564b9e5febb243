import { unseen } from './unseen.ts'

/** One line of well-formed UTF-16, trimmed, without {@link unseen} characters: any store, file and terminal can hold it. */
export type PlainLine = string & { readonly brand: unique symbol }

/** Tabs and breaks of every kind, and every space that is not U+0020. */
const spaces = /[\t-\r\x85\u2028\u2029\p{Zs}]/gu

/** What somebody else wrote as a {@link PlainLine}: breaks, tabs and odd spaces are spaces, what nobody sees goes. */
export const plainLine = (text: string): PlainLine =>
  text.replace(spaces, ' ').replace(unseen, '').trim() as PlainLine
