import type { Lead } from './lead.ts'

/** Accents of Latin, Greek and Cyrillic letters, but not the vowel signs of other scripts, which distinguish names. */
const accents = /[\u0300-\u036f]/g
const nonLetters = /[^\p{L}\p{M}\p{N}]/gu

/** Returns a name without case, accents, punctuation and spaces; the name itself if nothing remains. */
export function normalizeName(name: string): string {
  // Upper case before lower case turns ß into ss and makes all forms of sigma equal.
  const cased = name.normalize('NFKD').toUpperCase().toLowerCase()
  const letters = cased
    .normalize('NFKD')
    .replace(accents, '')
    .replace(nonLetters, '')
    .normalize('NFC')
  return letters || name.normalize('NFKC').trim()
}

/** Returns the first name's first letter and the whole last name, to tell people with the same email address apart. */
export function makeNameKey({ firstName, lastName }: Pick<Lead, 'firstName' | 'lastName'>): string {
  const [initial] = normalizeName(firstName)
  return `${initial} ${normalizeName(lastName)}`
}

/** The time within which the same person's second lead for the same program is a duplicate (reading 18). */
export const duplicateWindowMs = 24 * 60 * 60 * 1000

/**
 * Returns a key that is equal for two leads with the same email, phone, program and name. Without the name, anybody who
 * knows a person's email and phone could block that person's enquiry. Hash the key before storing it.
 */
export function makeDedupeKey(
  lead: Pick<Lead, 'email' | 'phone' | 'program' | 'firstName' | 'lastName'>,
): string {
  return [lead.email.trim().toLowerCase(), lead.phone, lead.program.id, makeNameKey(lead)].join(
    '\n',
  )
}
