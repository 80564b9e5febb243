import { domainToASCII } from 'node:url'

/**
 * An email address with its domain as every mail system reads it: `bücher.example` is `xn--bcher-kva.example` (RFC 5890).
 * Chromium hands it over like that and other browsers as it was typed; the same person is the same address.
 */
export function withAsciiDomain(address: string): string {
  const domainAt = address.lastIndexOf('@') + 1
  const domain = address.slice(domainAt)
  if (/^\p{ASCII}*$/u.test(domain)) return address
  return address.slice(0, domainAt) + (domainToASCII(domain) || domain)
}
