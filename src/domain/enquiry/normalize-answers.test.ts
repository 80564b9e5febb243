import { expect, it } from 'vitest'
import { normalizeAnswer, normalizeLine } from './normalize-answers.ts'

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
