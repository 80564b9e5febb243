/**
 * Invisible characters without a meaning: controls (C0, C1), line and paragraph separators, bidi controls, zero-width
 * and other ignorable characters, the blank braille cell, annotation marks, noncharacters and lone surrogates.
 * Invisible characters can move a terminal's cursor, reverse a line, or hide one word in another. Two kinds have a
 * meaning in names, so the pattern spares them: a joiner after a letter of a script that uses joiners (Persian, Hindi,
 * Malayalam) or within an emoji, and one variation selector after a Han or Mongolian letter or an emoji.
 */
export const invisibleCharacters =
  /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\uFFF9-\uFFFB]--[\u200C\u200D\p{Variation_Selector}]]|(?<![\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\p{Extended_Pictographic}\uFE0F)[\u200C\u200D]|(?<![\p{scx=Han}\p{scx=Mong}\p{Extended_Pictographic}])\p{Variation_Selector}/gv

/** A trimmed line of well-formed UTF-16 without invisible characters, which every database and terminal can handle. */
export type PlainLine = string & { readonly brand: unique symbol }

/** Tabs, line breaks, and every space except U+0020. */
const spaces = /[\t-\r\x85\u2028\u2029\p{Zs}]/gu

/**
 * Replaces line breaks, tabs and special spaces by plain spaces, and removes invisible characters. The text is not
 * trimmed, because the visitor may still be typing.
 */
export const removeInvisibleCharacters = (text: string): string =>
  // Plain ASCII text skips the Unicode patterns, because a slow phone takes 10 ms to compile them.
  /[^ -~]/.test(text) ? text.replace(spaces, ' ').replace(invisibleCharacters, '') : text

/** Converts any text to a {@link PlainLine}. */
export const toPlainLine = (text: string): PlainLine =>
  removeInvisibleCharacters(text).trim() as PlainLine

/** Converts any text to a {@link PlainLine} of at most `maxLength` characters. */
export const toPlainLineUpTo = (text: string, maxLength: number): PlainLine =>
  // `toPlainLine` runs twice: cutting the text may split a character in two.
  toPlainLine(toPlainLine(text).slice(0, maxLength))
