import { areOneEditApart } from '../../one-edit-apart.ts'

/** The mail providers that most U.S. visitors have, most used first. */
const providers = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'aol.com',
  'comcast.net',
  'live.com',
  'msn.com',
  'att.net',
  'verizon.net',
  'sbcglobal.net',
  'bellsouth.net',
  'charter.net',
  'proton.me',
  'ymail.com',
  'me.com',
]

/** Real providers that look like a slip of the keys. */
const notSlips = new Set(['mail.com', 'email.com', 'gmx.com', 'ymail.com', 'mac.com', 'att.com'])

/** What the visitor may have meant where the address's domain is one slip away from a well-known one; never a fault. */
export function emailSuggestion(email: string): string | undefined {
  const domain = domainOf(email)
  if (email.lastIndexOf('@') < 1 || providers.includes(domain) || notSlips.has(domain)) {
    return undefined
  }
  const meant = providers.find((provider) => areOneEditApart(domain, provider))
  return meant && `${email.slice(0, email.lastIndexOf('@'))}@${meant}`
}

/** The same while it is being typed: what may still become right is no slip yet. */
export function emailSuggestionWhileTyping(email: string): string | undefined {
  const domain = domainOf(email)
  const isBegun = domain.endsWith('.') || providers.some((provider) => provider.startsWith(domain))
  return isBegun ? undefined : emailSuggestion(email)
}

const domainOf = (email: string): string =>
  email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
