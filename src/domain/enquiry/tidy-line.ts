import { withoutUnseen } from '../text/plain-line.ts'

/**
 * A line as it is stored: its spaces, of which there are seventeen and the tab, are one plain space each; nothing stands
 * unseen in it; an accented letter is one character, however it was typed. Letters of every script stay as they are.
 */
export const tidyLine = (text: string): string =>
  withoutUnseen(text).replace(/ +/g, ' ').trim().normalize('NFC')
