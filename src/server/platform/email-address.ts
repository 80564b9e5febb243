import { domainToASCII } from 'node:url'

/** A normalized email address: the form that is stored and compared. */
export type EmailAddress = string & { readonly brand: unique symbol }

/**
 * Normalizes an address: the domain in ASCII, trimmed, in lower case (reading 18), and each accented letter as one
 * character, because `Ä` and `A` with two dots look alike.
 */
export const toEmailAddress = (text: string): EmailAddress =>
  toAsciiDomain(text.normalize('NFC').trim()).toLowerCase() as EmailAddress

/**
 * Writes the domain as mail systems read it: `bücher.example` becomes `xn--bcher-kva.example` (RFC 5890). Chromium
 * submits the ASCII form and other browsers the typed form; both mean the same person.
 */
export function toAsciiDomain(address: string): string {
  const domainAt = address.lastIndexOf('@') + 1
  const domain = address.slice(domainAt)
  if (/^\p{ASCII}*$/u.test(domain)) return address
  return address.slice(0, domainAt) + (domainToASCII(domain) || domain)
}
