import type { Lead } from './lead.ts'

/** Accents, and not the signs that are a vowel in other scripts: without those two names would be one. */
const accents = /[\u0300-\u036f]/g
const besidesLetters = /[^\p{L}\p{M}\p{N}]/gu

/** A name without case, accents, punctuation and spaces; the name itself where that leaves nothing, as of an emoji. */
export function foldName(name: string): string {
  // Upper and then lower case: ß becomes ss, and every sigma the same.
  const cased = name.normalize('NFKD').toUpperCase().toLowerCase()
  const letters = cased
    .normalize('NFKD')
    .replace(accents, '')
    .replace(besidesLetters, '')
    .normalize('NFC')
  return letters || name.normalize('NFKC').trim()
}

/** The first letter of the first name, and the last name: tells two people with the same email apart. */
export function nameKey({ firstName, lastName }: Pick<Lead, 'firstName' | 'lastName'>): string {
  const [initial] = foldName(firstName)
  return `${initial} ${foldName(lastName)}`
}

/** The same person asking for the same program within this time is one lead (reading 18). */
export const duplicateWindowMs = 24 * 60 * 60 * 1000

/**
 * Two leads are the same enquiry if email, phone, program and name agree. Without the name, anybody who knows a person's
 * email and phone could keep that person's own enquiry from being sent. Hash it before it is stored.
 */
export function dedupeKeyOf(
  lead: Pick<Lead, 'email' | 'phone' | 'program' | 'firstName' | 'lastName'>,
): string {
  return [lead.email.trim().toLowerCase(), lead.phone, lead.program.id, nameKey(lead)].join('\n')
}
