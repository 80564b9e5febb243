import { expect, it } from 'vitest'
import { normalizeLine, normalizeZip } from './normalize-answers.ts'
import { normalizeAnswer } from './rules.ts'

it('composes an accented letter', () => expect(normalizeLine('Zoe\u0308')).toBe('Zoë'))

/** Normalization would reorder the accents, and 32,000 of them would take seconds. */
const accents = `a${'\u0301'.repeat(600)}${'\u0316'.repeat(600)}`

it('leaves text that is longer than any field unchanged', () => {
  expect(accents.normalize('NFC')).not.toBe(accents)
  expect(normalizeLine(accents)).toBe(accents)
})

it.each([
  ['rosa@example.org.', 'rosa@example.org'],
  [' rosa@example.org. ', 'rosa@example.org'],
  ['rosa@example.org..', 'rosa@example.org..'],
  ['rosa@example.o.rg', 'rosa@example.o.rg'],
])('the email address "%s" becomes "%s"', (typed, email) => {
  expect(normalizeAnswer('email', typed)).toBe(email)
})

it.each([
  ['34236', '34236'],
  ['34236-5610', '34236'],
  ['３４２３６ 5610', '34236'],
  ['FL 342365610', '34236'],
  ['941-555-010', '941-555-010'],
  ['3423620', '3423620'],
  ['34236 56101', '34236 56101'],
])('the ZIP %s becomes %s', (text, zip) => expect(normalizeZip(text)).toBe(zip))
