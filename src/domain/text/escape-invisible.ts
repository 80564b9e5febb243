import { invisibleCharacters } from './plain-line.ts'

/**
 * Writes what nobody sees ({@link invisibleCharacters}) as its escape, such as `\u202e`: for whoever reads a text that somebody else
 * wrote, on a terminal, in a file or on a page. JSON's escapes are the same, so JSON stays what it was.
 */
export const escapeInvisible = (text: string): string =>
  text.replace(invisibleCharacters, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** The same of a text of several lines, whose line feeds are ours. */
export const escapeInvisibleInLines = (text: string): string =>
  text.split('\n').map(escapeInvisible).join('\n')
