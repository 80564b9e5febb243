import { areOneEditApart } from '../one-edit-apart.ts'

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
  const at = email.lastIndexOf('@')
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase()
  if (at < 1 || providers.includes(domain) || notSlips.has(domain)) return undefined
  const meant = providers.find((provider) => areOneEditApart(domain, provider))
  return meant && `${email.slice(0, at)}@${meant}`
}
