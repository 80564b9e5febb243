/**
 * Characters that a reader does not see and that mean nothing where they stand: controls (C0, C1), line and paragraph
 * separators, bidi controls, zero-width and other ignorable characters, the blank braille cell, annotation marks,
 * noncharacters, lone surrogates. They move a terminal's cursor, turn a line around, or hide one word in another.
 *
 * Two kinds mean something in names and stay there: a joiner after a letter of a script that writes with it (Persian,
 * Hindi, Malayalam, where it ends words, too) or within an emoji, and one variation selector after a Han or Mongolian
 * letter or an emoji.
 */
export const invisibleCharacters =
  /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\uFFF9-\uFFFB]--[\u200C\u200D\p{Variation_Selector}]]|(?<![\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\p{Extended_Pictographic}\uFE0F)[\u200C\u200D]|(?<![\p{scx=Han}\p{scx=Mong}\p{Extended_Pictographic}])\p{Variation_Selector}/gv

/** One line of well-formed UTF-16, trimmed, without {@link invisibleCharacters} characters: any store, file and terminal can hold it. */
export type PlainLine = string & { readonly brand: unique symbol }

/** Tabs and breaks of every kind, and every space that is not U+0020. */
const spaces = /[\t-\r\x85\u2028\u2029\p{Zs}]/gu

/** Replaces breaks, tabs and odd spaces by spaces, and removes invisible characters. Doesn't trim, as typing goes on. */
export const removeInvisible = (text: string): string =>
  // Most text is plain ASCII. Compiling the Unicode patterns takes a slow phone 10 ms.
  /[^ -~]/.test(text) ? text.replace(spaces, ' ').replace(invisibleCharacters, '') : text

/** Turns foreign text into a {@link PlainLine}. */
export const plainLine = (text: string): PlainLine => removeInvisible(text).trim() as PlainLine
