/**
 * Invisible characters: controls (C0, C1), line and paragraph separators, bidi controls, zero-width and other ignorable
 * characters, the blank braille cell, annotation marks, noncharacters and lone surrogates.
 */
const invisible =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\uFFF9-\uFFFB]/gu

/** A character before a joiner that has a meaning: a letter of a script that uses joiners, or an emoji. */
const joined =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u

/** A character before a variation selector that has a meaning. */
const varied = /[\p{scx=Han}\p{scx=Mong}\p{Extended_Pictographic}]/u

/**
 * Replaces invisible characters without a meaning, which can move a terminal's cursor, reverse a line, or hide one word
 * in another. Keeps two kinds that have a meaning in names: a joiner after a letter of a script that uses joiners
 * (Persian, Hindi, Malayalam) or within an emoji, and one variation selector after a Han or Mongolian letter or an
 * emoji. Safari 16 has neither the flag `v` nor lookbehind, so a function looks at the two characters before.
 */
export const replaceInvisible = (text: string, replacer: (character: string) => string): string =>
  text.replace(invisible, (character, at: number) => {
    const [last = '', lastButOne = ''] = [...text.slice(Math.max(0, at - 4), at)].reverse()
    const isMeant = /[\u200C\u200D]/.test(character)
      ? last === '\uFE0F'
        ? /\p{Extended_Pictographic}/u.test(lastButOne)
        : joined.test(last)
      : /\p{Variation_Selector}/u.test(character) && varied.test(last)
    return isMeant ? character : replacer(character)
  })

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
  /[^ -~]/.test(text) ? replaceInvisible(text.replace(spaces, ' '), () => '') : text

/** Converts any text to a {@link PlainLine}. */
export const toPlainLine = (text: string): PlainLine =>
  removeInvisibleCharacters(text).trim() as PlainLine

/** Converts any text to a {@link PlainLine} of at most `maxLength` characters. */
export const toPlainLineUpTo = (text: string, maxLength: number): PlainLine =>
  // `toPlainLine` runs twice: cutting the text may split a character in two.
  toPlainLine(toPlainLine(text).slice(0, maxLength))

/**
 * Escapes the characters of {@link replaceInvisible}, for example as `\u202e`, so that people see them in a terminal, file or page.
 * Escaped JSON keeps its meaning.
 */
export const escapeInvisible = (text: string): string =>
  replaceInvisible(text, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** Escapes the invisible characters of a text except its line feeds. */
export const escapeInvisibleInLines = (text: string): string =>
  text.split('\n').map(escapeInvisible).join('\n')
