import { expect, test } from 'vitest'
import { toPlainLine } from './plain-line.ts'

test.each([
  ['controls of both sets', 'a\u0000b\u001b[31mc\u009b31md\u007f', 'ab[31mc31md'],
  ['breaks and tabs', ' a\tb\r\nc\u0085d\u2028e\u2029f ', 'a b  c d e f'],
  ['odd spaces', 'Mary\u00a0Ann\u3000Lee', 'Mary Ann Lee'],
  ['what turns a line around', '\u202egnp.exe\u2066\u200f\u061c', 'gnp.exe'],
  ['what has no width', 'O\u200bka\u00adfor\u2060\ufeff', 'Okafor'],
  ['letters that are blank', '\u3164\u115f\u2800\uffa0', ''],
  ['words in tags', 'Ada\u{e0049}\u{e0067}', 'Ada'],
  ['half of a surrogate pair, noncharacters', 'a\ud83d\uffff\ufdd0b\ude00', 'ab'],
  ['a joiner between Latin letters', 'A\u200dd\u200ca', 'Ada'],
  ['selectors that say nothing', 'a\ufe0f1\ufe0f葛\u{e0100}\u{e0101}', 'a1葛\u{e0100}'],
  ['joiners one after the other', 'نی\u200c\u200cا', 'نی\u200cا'],
])('%s', (_, text, expected) => expect(toPlainLine(text)).toBe(expected))

test.each([
  "Zoë O'Brien-Núñez",
  'Nguyễn Thị Ánh',
  'علی\u200cرضا',
  'شهره میر\u200cحسینی',
  'ശ്രീ മോഹന്\u200d',
  'ක්\u200dරිෂ්ණ',
  'क्\u200dष',
  '葛\u{e0100}城',
  'ᠮᠣᠩᠭᠣᠯ\u180b',
  'דוד בן־גוריון',
  'İbrahim Ağaoğlu',
  "77 Ringling Blvd #4 ½, P.O. Box 9 / 'A'",
  '👩 🎓 👩‍🎓🏽 🏳️‍🌈 ❤️',
])('%s stays as it is', (name) => expect(toPlainLine(name)).toBe(name))
