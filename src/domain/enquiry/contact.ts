import { areOneEditApart } from '../one-edit-apart.ts'
import type { Answers, StepQuestion } from './enquiry.ts'
import { phoneNumber } from './phone.ts'

/**
 * The HTML standard's grammar of `input type=email`, with a dot required in the domain.
 * https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
 */
const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?$/

export const isEmail = (text: string): boolean => emailPattern.test(text)

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

/** Real providers that look like a typing error. */
const similarProviders = ['mail.com', 'email.com', 'gmx.com', 'mac.com', 'att.com']

/** Suggests another address if the domain is one typing error away from a well-known provider's. */
function emailSuggestion(email: string): string | undefined {
  const [name, typedDomain = ''] = email.split('@')
  const domain = typedDomain.toLowerCase()
  if ([...providers, ...similarProviders].includes(domain)) return undefined
  const provider = providers.find((provider) => areOneEditApart(domain, provider))
  return provider && `${name}@${provider}`
}

/** Asks about a likely typing error in phone or email, because the school could not reach the visitor otherwise. */
export function contactQuestion({ email, phone }: Answers): StepQuestion | undefined {
  const suggestion = emailSuggestion(email)
  if (suggestion) return { about: 'email', suggestion }
  // No real area code or exchange begins with 0 or 1.
  return /^[2-9]..[2-9]/.test(phoneNumber(phone) ?? '') ? undefined : { about: 'phone' }
}

/** Identifies a phone and email, so that the form asks about them once. */
export const contactKey = ({ email, phone }: Answers): string => `${email} ${phone}`
