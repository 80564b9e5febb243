import { domainToASCII } from 'node:url'

/** An email address in the one form in which addresses are stored and compared. */
export type EmailAddress = string & { readonly brand: unique symbol }

/**
 * Normalizes an address: the domain in ASCII, trimmed, in lower case (reading 18), and each accented letter as one
 * character, because `Ä` and `A` with two dots look alike.
 */
export const emailAddress = (text: string): EmailAddress =>
  withAsciiDomain(text.normalize('NFC').trim()).toLowerCase() as EmailAddress

/**
 * Writes the domain as mail systems read it: `bücher.example` becomes `xn--bcher-kva.example` (RFC 5890). Chromium
 * submits this form and other browsers submit the typed one; both mean the same person.
 */
export function withAsciiDomain(address: string): string {
  const domainAt = address.lastIndexOf('@') + 1
  const domain = address.slice(domainAt)
  if (/^\p{ASCII}*$/u.test(domain)) return address
  return address.slice(0, domainAt) + (domainToASCII(domain) || domain)
}
