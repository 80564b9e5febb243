import { areOneEditApart } from '../one-edit-apart.ts'
import type { Answers } from './answers.ts'
import { parsePhoneNumber } from './phone.ts'

/** The HTML standard's grammar for `input type=email`; in addition, the domain needs a dot. */
const asciiEmail =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?$/

/** {@link asciiEmail} with the letters of every script (RFC 6531). */
const unicodeEmail =
  /^[\w.!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/** Recognizes an email address. ASCII text skips the Unicode pattern, which a slow phone compiles for 25 ms. */
export const isEmail = (text: string): boolean =>
  (/[^ -~]/.test(text) ? unicodeEmail : asciiEmail).test(text)

/** The email domains that U.S. visitors use most, in descending order. */
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

/** Domains of real email providers that look like mistyped domains. */
const validSimilarDomains = new Set([
  'mail.com',
  'email.com',
  'gmx.com',
  'ymail.com',
  'mac.com',
  'att.com',
])

/** Suggests a corrected email address if its domain looks like a mistyped domain of a well-known provider. */
export function suggestEmail(email: string): string | undefined {
  const domain = emailDomain(email)
  if (email.lastIndexOf('@') < 1 || providers.includes(domain) || validSimilarDomains.has(domain)) {
    return undefined
  }
  const similarProvider = providers.find((provider) => isMistyped(domain, provider))
  const meant = `${email.slice(0, email.lastIndexOf('@'))}@${similarProvider}`
  return similarProvider && isEmail(meant) ? meant : undefined
}

/** Allows one typing error; if the provider's name has five letters or more, one in the name and one in the ending. */
function isMistyped(domain: string, provider: string): boolean {
  const [name = '', ending = '', ...rest] = domain.split('.')
  const [wantedName = '', wantedEnding = ''] = provider.split('.')
  const isLong = wantedName.length >= 5 && rest.length === 0
  return (
    areOneEditApart(domain, provider) ||
    (isLong && areOneEditApart(name, wantedName) && areOneEditApart(ending, wantedEnding))
  )
}

const emailDomain = (email: string): string =>
  email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()

export interface ContactQuestion {
  /** The email address that the visitor probably meant. */
  readonly meantEmail?: string
  /** True if the area code or the exchange code begins with 0 or 1, as in no real number. */
  readonly isPhoneOdd?: true
}

/** Returns a question about a likely typing error in phone number or email address; undefined if both look right. */
export function makeContactQuestion({ email, phone }: Answers): ContactQuestion | undefined {
  const meantEmail = suggestEmail(email)
  const isPhoneOdd = !/^[2-9]..[2-9]/.test(parsePhoneNumber(phone) ?? '')
  if (meantEmail === undefined && !isPhoneOdd) return undefined
  return {
    ...(meantEmail === undefined ? {} : { meantEmail }),
    ...(isPhoneOdd ? { isPhoneOdd } : {}),
  }
}

/** Returns a key of phone number and email address, so that the form asks only once about the same values. */
export const makeContactKey = ({ email, phone }: Answers): string => `${email} ${phone}`
