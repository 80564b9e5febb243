import { expect, it } from 'vitest'
import { zipAtCaret } from './format-at-caret.ts'

/** `|` marks the caret. */
function formatted(marked: string): string {
  const caret = marked.indexOf('|')
  const { text, caret: at } = zipAtCaret(marked.replace('|', ''), caret, '')
  return `${text.slice(0, at)}|${text.slice(at)}`
}

it.each([
  ['a ZIP+4', '34236-5610|', '34236|'],
  ['a space before it', ' 34236|', '34236|'],
  ['a space behind it', '34236 |', '34236|'],
  ['a state before it', 'FL 34236|', '34236|'],
  ['a letter at the end', '342x|', '342|'],
  ['a letter in the middle', '34x|236', '34|236'],
  ['a digit in the middle', '341|23', '341|23'],
  ['a sixth digit, which stays visible', '342367|', '342367|'],
  ['a sixth digit in the middle', '349|236', '349|236'],
  ['a paste in the middle', '3 42|6', '342|6'],
  ['a paste over what was selected', '9-02|10', '902|10'],
  ['a ZIP+4 whole in the end', '342365610|', '34236|'],
  ['a digit deleted before the caret', '34|36', '34|36'],
  ['everything deleted', '|', '|'],
  ['digits of full width', '３４２|３６', '342|36'],
  ['digits that take two places each', '𝟑𝟒|𝟐', '34|2'],
  ['letters alone', 'abc|', '|'],
])('%s', (_, typed, shown) => expect(formatted(typed)).toBe(shown))
