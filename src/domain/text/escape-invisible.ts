import { replaceInvisible } from './plain-line.ts'

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
