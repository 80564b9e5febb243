/**
 * Digits and consonants that nobody mistakes for each other in print. Without vowels, no reference reads like a last
 * name.
 */
const alphabet = '23456789CDFGHJKMNPQRTVWX'

const length = 8

/** The number of hexadecimal digits at the end of a lead's id that the reference is made of: 36 of its random bits. */
const idDigits = 9

/** The position of these digits in an id, counted from 1 as in SQL. */
export const idEndPosition = 36 - idDigits + 1

/** Returns the eight characters by which visitors and operators name a lead. */
export function toReference(leadId: string): string {
  let rest = Number.parseInt(leadId.slice(-idDigits), 16)
  let reference = ''
  while (reference.length < length) {
    reference = alphabet.charAt(rest % alphabet.length) + reference
    rest = Math.floor(rest / alphabet.length)
  }
  return reference
}

/** Reads a reference as somebody types it, as in `k7qf 2m9d` or `K7QF-2M9D`; undefined for any other text. */
export function parseReference(text: string): string | undefined {
  const reference = text.replaceAll(/[\s-]/g, '').toUpperCase()
  const isReference =
    reference.length === length && [...reference].every((one) => alphabet.includes(one))
  return isReference ? reference : undefined
}

/** Returns the last digits of every id that has the reference: see {@link idEndPosition}. */
export const toIdEnd = (reference: string): string =>
  [...reference]
    .reduce((number, one) => number * alphabet.length + alphabet.indexOf(one), 0)
    .toString(16)
    .padStart(idDigits, '0')
