/** What can be typed or pasted unseen and means nothing: soft hyphens, zero-width marks, and what turns the reading order. */
const unseen = /[\p{Bidi_Control}\u00AD\u200B\u2060\uFEFF]/gu

/**
 * A line as it is stored: its spaces, of which there are seventeen and the tab, are one plain space each; nothing stands
 * unseen in it; an accented letter is one character, however it was typed. Letters of every script stay as they are.
 */
export const tidyLine = (text: string): string =>
  text
    .replace(unseen, '')
    .replace(/[\t\p{Zs}]+/gu, ' ')
    .trim()
    .normalize('NFC')
