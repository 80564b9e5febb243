import { domainToASCII } from 'node:url'

/** An email address in the normalized form that is stored and compared. */
export type EmailAddress = string & { readonly brand: unique symbol }

/**
 * Normalizes an email address (reading 18): trims it, puts it in lower case and its domain in ASCII, and composes
 * accented letters, because `Ä` and `A` with two dots look alike.
 */
export const toEmailAddress = (text: string): EmailAddress =>
  toAsciiDomain(text.normalize('NFC').trim()).toLowerCase() as EmailAddress

/**
 * Writes an email address's domain as mail systems read it, such as `xn--bcher-kva.example` for `bücher.example` (RFC
 * 5890). Chromium submits the ASCII form and other browsers the typed form, and both mean the same person.
 */
export function toAsciiDomain(address: string): string {
  const domainAt = address.lastIndexOf('@') + 1
  const domain = address.slice(domainAt)
  if (/^\p{ASCII}*$/u.test(domain)) return address
  return address.slice(0, domainAt) + (domainToASCII(domain) || domain)
}
