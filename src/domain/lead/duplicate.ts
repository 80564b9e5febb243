import { day } from '../durations.ts'
import type { Lead } from './lead.ts'

/** Matches Latin, Greek and Cyrillic accents. Vowel signs of other scripts stay, because they distinguish names. */
const accents = /[\u0300-\u036f]/g
const nonLetters = /[^\p{L}\p{M}\p{N}]/gu

/** Returns a name in lower case without accents, punctuation and spaces; the name itself if nothing remains. */
export function normalizeName(name: string): string {
  // Converting to upper case first turns ß into ss and makes all forms of sigma equal.
  const cased = name.normalize('NFKD').toUpperCase().toLowerCase()
  const letters = cased
    .normalize('NFKD')
    .replace(accents, '')
    .replace(nonLetters, '')
    .normalize('NFC')
  return letters || name.normalize('NFKC').trim()
}

/** Returns the first name's first letter and the whole last name, to tell apart people who share an email address. */
export function makeNameKey({ firstName, lastName }: Pick<Lead, 'firstName' | 'lastName'>): string {
  const [initial] = normalizeName(firstName)
  return `${initial} ${normalizeName(lastName)}`
}

/** The time within which the same person's second lead for a program is a duplicate, in milliseconds (reading 18). */
export const duplicateWindowMs = day

/**
 * Returns a key that is equal for leads with the same email address, phone number, program and name. Without the name,
 * anybody who knows a person's email address and phone number could block the person's enquiry. Hash the key before
 * storing it.
 */
export function makeDedupeKey(
  lead: Pick<Lead, 'email' | 'phone' | 'program' | 'firstName' | 'lastName'>,
): string {
  return [lead.email.trim().toLowerCase(), lead.phone, lead.program.id, makeNameKey(lead)].join(
    '\n',
  )
}
