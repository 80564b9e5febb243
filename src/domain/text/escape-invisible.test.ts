import { expect, test } from 'vitest'
import { escapeInvisible, escapeInvisibleInLines } from './plain-line.ts'

test.each([
  ['\\u009b31m\\u001b[0m', '\u009b31m\u001b[0m'],
  ['\\u202egnp\\u2066', '\u202egnp\u2066'],
  ['a\\u200b\\ufeff\\u00ad\\udb40\\udc41', 'a\u200b\ufeff\u00ad\u{e0041}'],
  ['a\\u000d\\u000a\\u0009b\\u0085\\u2028', 'a\r\n\tb\u0085\u2028'],
  ['\\ud83d!', '\ud83d!'],
  ['علی\u200cرضا ക്\u200d 葛\u{e0100} Zoë 🎓', 'علی\u200cرضا ക്\u200d 葛\u{e0100} Zoë 🎓'],
])('%s', (shown, text) => expect(escapeInvisible(text)).toBe(shown))

test('escaped JSON keeps its meaning', () => {
  const value = { '\u202eкey': ['\u0000\u001b\u009b\u200b\u{e0041}\ud83d\n', 'Zoë'] }
  const shown = escapeInvisibleInLines(JSON.stringify(value, null, 2))
  expect(JSON.parse(shown)).toEqual(value)
  expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
