import { areOneEditApart } from '../one-edit-apart.ts'
import type { Answers } from './enquiry.ts'
import { parsePhoneNumber } from './phone.ts'

/** The HTML standard's grammar of `input type=email`, with a dot required in the domain. */
const asciiEmail =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?$/

/** The grammar of {@link asciiEmail} with letters of every script (RFC 6531). */
const unicodeEmail =
  /^[\w.!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/** Compiling the Unicode pattern takes a slow phone 25 ms, so ASCII addresses don't use it. */
export const isEmail = (text: string): boolean =>
  (/[^ -~]/.test(text) ? unicodeEmail : asciiEmail).test(text)

/** The domains of the mail providers that U.S. visitors use most, in descending order. */
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

/** Domains of real mail providers that look like typing errors. */
const validSimilarDomains = new Set([
  'mail.com',
  'email.com',
  'gmx.com',
  'ymail.com',
  'mac.com',
  'att.com',
])

/** Suggests a correction if the domain looks like a mistyped domain of a well-known provider. */
export function suggestEmail(email: string): string | undefined {
  const domain = emailDomain(email)
  if (email.lastIndexOf('@') < 1 || providers.includes(domain) || validSimilarDomains.has(domain)) {
    return undefined
  }
  const similarProvider = providers.find((provider) => isMistyped(domain, provider))
  return similarProvider && `${email.slice(0, email.lastIndexOf('@'))}@${similarProvider}`
}

/** Allows one typing error, or in a long name one error and another in its ending: `gmial.con`. */
function isMistyped(domain: string, provider: string): boolean {
  const [name = '', ending = '', ...rest] = domain.split('.')
  const [wantedName = '', wantedEnding = ''] = provider.split('.')
  const isLong = wantedName.length >= 5 && rest.length === 0
  return (
    areOneEditApart(domain, provider) ||
    (isLong && areOneEditApart(name, wantedName) && areOneEditApart(ending, wantedEnding))
  )
}

/** Suggests a correction while the visitor types, but none for the beginning of a well-known domain. */
export function suggestEmailWhileTyping(email: string): string | undefined {
  const domain = emailDomain(email)
  const mayBecomeProvider =
    domain.endsWith('.') || providers.some((provider) => provider.startsWith(domain))
  return mayBecomeProvider ? undefined : suggestEmail(email)
}

const emailDomain = (email: string): string =>
  email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()

export interface ContactQuestion {
  /** The suggested email address, which differs from the entered one by one typing error. */
  readonly meantEmail?: string
  /** True if the area code or the exchange begins with 0 or 1, which no real number has. */
  readonly isPhoneOdd?: true
}

/** Returns a question about a likely typing error in phone or email; undefined if both look right. */
export function makeContactQuestion({ email, phone }: Answers): ContactQuestion | undefined {
  const meantEmail = suggestEmail(email)
  const isPhoneOdd = !/^[2-9]..[2-9]/.test(parsePhoneNumber(phone) ?? '')
  if (meantEmail === undefined && !isPhoneOdd) return undefined
  return {
    ...(meantEmail === undefined ? {} : { meantEmail }),
    ...(isPhoneOdd ? { isPhoneOdd } : {}),
  }
}

/** Returns a key of phone and email, so that the form asks only once about the same values. */
export const makeContactKey = ({ email, phone }: Answers): string => `${email} ${phone}`
