import { withoutUnseen } from '../text/plain-line.ts'

/**
 * Normalizing takes the square of a run of accents, 2.9 s for 32,000 of them; no field may have more than 254 characters.
 */
const mostNormalized = 1000

/**
 * A line as it is stored: its spaces, of which there are seventeen and the tab, are one plain space each; nothing stands
 * unseen in it; an accented letter is one character, however it was typed. Letters of every script stay as they are.
 */
export function tidyLine(text: string): string {
  const line = withoutUnseen(text).replace(/ +/g, ' ').trim()
  return line.length > mostNormalized ? line : line.normalize('NFC')
}
